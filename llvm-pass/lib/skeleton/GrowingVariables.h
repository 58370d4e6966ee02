//===- GrowingVariables.h - Variables that only grow -----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The capacity of a buffer that is kept: it is compared with what is needed, and set to at least that much where it was
// too small. Whatever other calls need meanwhile, what was enough once stays enough.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_GROWINGVARIABLES_H
#define MEMSHAPE_GROWINGVARIABLES_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include <map>

namespace memshape {

class GrowingVariables {
public:
  explicit GrowingVariables(llvm::Module &M) : M(M) {}

  /// Load reads a variable that only grows, and branches that ask whether it is too small are all that comes of it.
  bool isTested(const llvm::LoadInst &Load);

  llvm::SmallVector<const llvm::BranchInst *, 2> testsOf(const llvm::LoadInst &Load) const;

  /// The successor of Test that is taken where the variable is too small.
  unsigned sideOfTooSmall(const llvm::BranchInst &Test, const llvm::LoadInst &Load) const;

private:
  bool onlyGrows(const llvm::GlobalVariable &G);
  bool raises(const llvm::StoreInst &Store, const llvm::GlobalVariable &G);

  llvm::Module &M;
  llvm::DenseMap<const llvm::GlobalVariable *, bool> Known;
  std::map<const llvm::Function *, llvm::DominatorTree> Trees;
};

} // namespace memshape

#endif // MEMSHAPE_GROWINGVARIABLES_H
