//===- StorePool.h - What a store's other operators say about bounds -----===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TOOLS_HISTORY_STOREPOOL_H
#define MEMSHAPE_TOOLS_HISTORY_STOREPOOL_H

#include "libmemshape/history/Store.h"
#include "model/residency/Prior.h"

namespace memshape {

/// From so many runs on, an operator's bound is a matter of its own and the corpus' scores.
inline constexpr std::size_t ShortHistory = 5;

/// The prior with the scores of the store's other operators, the newest few, beside those of the corpus: they run on
/// this machine, under this allocator, with these libraries. Only runs of which as much is known as of At count: with
/// the caller's bytes, or without.
Result<Prior> withOtherOperators(const Prior &Generic, const Store &Past, const std::string &Operator,
                                 const Situation &At);

} // namespace memshape

#endif // MEMSHAPE_TOOLS_HISTORY_STOREPOOL_H
