//===- Extract.h - Clone an operator with everything it reaches -----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_EXTRACT_H
#define MEMSHAPE_EXTRACT_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Module.h"
#include <memory>

namespace memshape {

/// Everything with a definition that Roots can reach through calls, addresses taken and initialisers; they too.
llvm::DenseSet<const llvm::GlobalValue *> reachableFrom(llvm::ArrayRef<const llvm::Function *> Roots);

/// How much functions of a module reach, for many of them: each body is looked at once.
class ReachedSizes {
public:
  /// Instructions of Root and of all functions that it can reach.
  unsigned from(const llvm::Function &Root);

private:
  struct Node {
    unsigned Instructions = 0;
    llvm::SmallVector<const llvm::GlobalValue *, 8> References;
  };
  llvm::DenseMap<const llvm::GlobalValue *, Node> Nodes;
};

/// A module in the same context with copies of Root, the functions with bodies that it may call and the variables that
/// it may touch, all internal but Root. Variable debug information is dropped, locations are kept. Optimisation
/// barriers (optnone, noinline) are lifted: they do not change what a function does. Constructors that set what Root
/// uses run before it; with Whole also those whose work other code may change afterwards.
std::unique_ptr<llvm::Module> extract(llvm::Function &Root, llvm::Function *&Copy, bool Whole = false);

/// M jumps to a label in a table, which has no truth value that could be decided. Newer clangs tell it as a switch.
bool hasComputedGoto(const llvm::Module &M);

} // namespace memshape

#endif // MEMSHAPE_EXTRACT_H
