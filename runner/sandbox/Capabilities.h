// Drops privileges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "runner/sandbox/Box.h"

namespace memshape {

/// Drops all capabilities, in every set. One exception: a process that opens libraries keeps the right to read files of
/// others if it has it, because root predicts for libraries in users' folders. False if some capabilities are left.
bool dropCapabilities(Box Which);

} // namespace memshape
