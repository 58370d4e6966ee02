// Arguments that cannot be built as asked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/skeletons/Evaluator.h"
#include "libmemshape/skeletons/Skeleton.h"
#include "libmemshape/text/Result.h"

namespace memshape {

/// The calls that building arguments came to and that reach out of the process: "'fopen', 'fclose'"; "" without any.
std::string reachingOut(const Skeleton &S, const Footprint &Heap);

/// Why there is no answer where the evaluation ended while an argument was being built, and what to do.
Failure notBuilt(const Skeleton &S, const Question &Asked, const Footprint &Heap);

/// The same of argument Number, where a run came to calls that reach out: Called.
Failure notBuilt(const Skeleton &S, const Question &Asked, std::uint32_t Number, const std::string &Called);

} // namespace memshape
