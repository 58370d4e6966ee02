// The prior that a prediction begins with.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "libmemshape/history/Store.h"
#include "libmemshape/text/Result.h"
#include "model/residency/Prior.h"

namespace memshape {

/// Of one operator, a prediction reads so many past runs.
inline constexpr std::size_t MostRunsRead = 256;

/// With this many runs, an operator's bound depends on its own scores and those of the corpus only.
inline constexpr std::size_t ShortHistory = 5;

/// The prior with the scores of the store's newest other operators added to those of the corpus: they ran on this
/// machine, with this allocator and these libraries. Only runs of which as much is known as of At are used: with the
/// caller's bytes, or without.
Result<Prior> withOtherOperators(const Prior &Generic, const Store &Past, const std::string &Operator,
                                 const Situation &At);

/// The model file at Path, or the one that this build brings where Path is empty.
Result<Prior> loadPrior(const std::string &Path);

} // namespace memshape
