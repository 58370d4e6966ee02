// A run as a profile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/measurement/report/RunReport.h"
#include "libmemshape/profile/Profile.h"

namespace memshape {

/// What a process held at its peak and requested in all, by call stack; the figures of its heap are the sum.
Profile profileOf(const RunRecord &Process);

/// The process of a run that a profile shows: the program's own, or of those that it started the one with the highest
/// peak. Null where no process counted stacks.
const RunRecord *profiledProcess(const Run &R);

} // namespace memshape
