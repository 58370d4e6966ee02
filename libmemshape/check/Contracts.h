// Promises of the source, held against its code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEMSHAPE_AT_MOST("4*n + 64") promises an upper bound of an operator's peak, MEMSHAPE_EXACTLY("4*n") the peak.

#pragma once

#include "libmemshape/check/SourceRules.h"

namespace memshape {

/// For each promise of the operator one finding: an error with the smallest shape that was found where it does not hold
/// or has no meaning, a note that says how far it was proven otherwise.
std::vector<Finding> contractsOf(const Skeleton &Stored, const Surroundings &Around);

} // namespace memshape
