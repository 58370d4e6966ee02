// Variables that the first use sets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A variable behind a flag is set by the first call that needs it, and found set by all others:
//
//     if (!flag) { sizes = query(); flag = 1; }        region: executed once in the life of the process
//     use(sizes);
//
// Which call that is may follow from shapes. It makes no difference, as long as each reader has passed the test of the
// flag, and the region frees nothing that others have allocated.

#pragma once

#include "memory/ModRefIndex.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Dominators.h"
#include <map>

namespace memshape {

class InitialisedOnce {
public:
  InitialisedOnce(llvm::Module &M, const PointsTo &Memory, ModRefIndex &Accesses);

  /// Whether what BB writes is the same for all later calls, whether it is executed now or was before: BB lies in a
  /// region, and From, the block of the branch that decides, does not. From is null where a whole function depends.
  bool settles(const llvm::BasicBlock &BB, const llvm::BasicBlock *From) const;

private:
  struct Flag {
    llvm::SmallVector<llvm::LoadInst *, 4> Reads;
    llvm::SmallVector<llvm::BranchInst *, 4> Tests;
    llvm::SmallVector<llvm::StoreInst *, 4> Sets;
    llvm::DenseSet<const llvm::BasicBlock *> Region;
    llvm::SmallVector<llvm::Function *, 4> Called; ///< functions that regions alone call
  };
  bool findUses(llvm::GlobalVariable &G, Flag &Found);
  bool findTests(llvm::LoadInst &Read, Flag &Found);
  bool findRegion(Flag &Found);
  bool findCalled(Flag &Found);
  bool readersHavePassed(const Flag &Found);
  bool inRegion(const Flag &Found, const llvm::Instruction &I) const;
  llvm::DominatorTree &treeOf(llvm::Function &F) { return Trees.try_emplace(&F, F).first->second; }

  const PointsTo &Memory;
  ModRefIndex &Accesses;
  std::map<const llvm::Function *, llvm::DominatorTree> Trees;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<const llvm::GlobalVariable *, 1>> Regions;
};

} // namespace memshape
