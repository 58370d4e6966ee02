//===- DecisionStates.h - What is still used behind a decision ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_DECISIONSTATES_H
#define MEMSHAPE_DECISIONSTATES_H

#include "llvm/IR/Function.h"

namespace memshape {

/// Lets each decision that Root asks hand over the values that are used behind it, and each call of Root its variables:
/// the runner then sees where two runs have come to the same state. Root is called by nothing but the skeleton's entry;
/// a decision that other functions ask stays as it is. Nothing may be optimised away or added afterwards.
void exposeStates(llvm::Function &Root);

} // namespace memshape

#endif // MEMSHAPE_DECISIONSTATES_H
