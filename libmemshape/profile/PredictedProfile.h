// What a prediction says of stacks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/profile/Profile.h"
#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"

namespace memshape {

/// Adds what a call of S takes in a memory space, Heap being the figures of that space; "host" for the heap. The stacks
/// add up to the call's figures: what no site has stands by itself.
void addCall(Profile &To, const Skeleton &S, const Footprint &Heap, const std::string &Space);

} // namespace memshape
