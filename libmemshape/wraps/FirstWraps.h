// The smallest shapes at which sizes wrap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

#include <vector>

namespace memshape {

/// A place whose result leaves its type, and from which shape on: its extents are all equal, or as large as their types
/// allow.
struct FirstWrap {
  std::uint32_t Wrap = 0; ///< its number in Skeleton::Wraps
  std::vector<std::int64_t> Shape;
};

/// The places of S that are found to wrap, those at smaller shapes first. Asked has the settings. Extents are doubled
/// until each place wraps or none can grow, then the smallest is found by halving: some 190 evaluations for all, and 63
/// for each.
std::vector<FirstWrap> firstWraps(const Skeleton &S, const Question &Asked, Evaluator &Evaluate);

/// The one of Found that reaches this site at the smallest shape; null where none does.
const FirstWrap *firstAt(const Skeleton &S, const std::vector<FirstWrap> &Found, std::uint32_t Site);

/// "a signed integer of 32 bits"
std::string typeText(const SizeWrap &Wrap);

} // namespace memshape
