// Sizes of a build that wrap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rule size-wraps needs no baseline: what it finds is wrong in the source.

#pragma once

#include "libmemshape/check/Compare.h"
#include "libmemshape/prediction/Answer.h"

namespace memshape {

inline constexpr std::string_view SizeWrapsRule = "size-wraps";

/// One finding for each line of each operator of Around.Files whose sizes wrap, with the smallest shape, but for
/// integers of 64 bits: no memory has the shapes at which they wrap.
Result<Comparison> sizesThatWrap(const Surroundings &Around);

} // namespace memshape
