// Sizes of a build that wrap.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/check/SourceRules.h"

namespace memshape {

/// One finding for each line of the operator whose sizes wrap, with the smallest shape, but for integers of 64 bits: no
/// memory has the shapes at which they wrap.
std::vector<Finding> sizesThatWrap(const Skeleton &Stored, const Surroundings &Around);

} // namespace memshape
