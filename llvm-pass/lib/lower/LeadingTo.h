// Where control may come to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace memshape {

using Blocks = llvm::SmallPtrSet<const llvm::BasicBlock *, 32>;

/// Blocks of F from which control may come to one that Wanted says yes of.
template <class Predicate> Blocks leadingTo(const llvm::Function &F, Predicate &&Wanted) {
  Blocks Found;
  llvm::SmallVector<const llvm::BasicBlock *, 32> Work;
  for (const llvm::BasicBlock &BB : F)
    if (Wanted(BB) && Found.insert(&BB).second)
      Work.push_back(&BB);
  while (!Work.empty())
    for (const llvm::BasicBlock *Before : predecessors(Work.pop_back_val()))
      if (Found.insert(Before).second)
        Work.push_back(Before);
  return Found;
}

/// Those from which F may return.
inline Blocks leadingToReturn(const llvm::Function &F) {
  return leadingTo(F, [](const llvm::BasicBlock &BB) { return llvm::isa<llvm::ReturnInst>(BB.getTerminator()); });
}

} // namespace memshape
