// Promises of the source, held against its code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// MEMSHAPE_AT_MOST("4*n + 64") promises an upper bound of an operator's peak, MEMSHAPE_EXACTLY("4*n") the peak. The
// rule contract needs no baseline: what it finds is wrong in the source.

#pragma once

#include "libmemshape/check/Compare.h"
#include "libmemshape/prediction/Answer.h"

namespace memshape {

inline constexpr std::string_view ContractRule = "contract";

/// For each promise of an operator of Around.Files one finding: an error with the smallest shape that was found where
/// it does not hold or has no meaning, a note that says how far it was proven otherwise.
Result<Comparison> contractsOf(const Surroundings &Around);

} // namespace memshape
