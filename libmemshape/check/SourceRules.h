// Rules about the source alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What they find is wrong in the source, whatever a baseline says: they need none.

#pragma once

#include "libmemshape/check/Compare.h"
#include "libmemshape/prediction/Answer.h"

#include <functional>

namespace memshape {

inline constexpr std::string_view ContractRule = "contract", SizeWrapsRule = "size-wraps";

/// Whether Rule is one of them.
bool isSourceRule(std::string_view Rule);

/// What those that are wanted find in the operators of Around.Files.
Result<Comparison> checkSource(const Surroundings &Around, const std::function<bool(std::string_view Rule)> &Wanted);

/// The rule about promises, MEMSHAPE_AT_MOST("4*n + 64") and MEMSHAPE_EXACTLY("4*n"). For each of the operator one
/// finding: an error with the smallest shape that was found where it does not hold or has no meaning, a note that says
/// how far it was proven otherwise.
std::vector<Finding> contractsOf(const Skeleton &Stored, const Surroundings &Around);

} // namespace memshape
