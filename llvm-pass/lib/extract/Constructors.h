//===- Constructors.h - What ran before the operator ----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Variables at namespace scope and static members are set by constructors before main. Those that set what an operator
// uses belong to its skeleton: they run once, before it, and what they allocate is not the operator's.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_CONSTRUCTORS_H
#define MEMSHAPE_CONSTRUCTORS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// The constructors of a module (llvm.global_ctors), and what only they and the destructors that they register can
/// reach.
class ConstructorsOfModule {
public:
  explicit ConstructorsOfModule(const llvm::Module &M);

  /// F runs before or after main, and at no other time.
  bool runsOutsideMain(const llvm::Function &F);

  /// True when code outside Reachable may change G, or what it points to, while the program runs: in another
  /// translation unit, or a function here that does more than look at it.
  bool isSetElsewhere(const llvm::GlobalVariable &G, const llvm::DenseSet<const llvm::GlobalValue *> &Reachable);

  /// Those that set variables of Reachable, in the order in which they run. Reachable grows by what they reach.
  /// Whole: also those whose work another one may undo, for an operator that is run as it is.
  llvm::SmallVector<llvm::Function *, 4> neededBy(llvm::DenseSet<const llvm::GlobalValue *> &Reachable, bool Whole);

private:
  llvm::SmallVector<llvm::Function *, 4> Ordered;
  llvm::DenseMap<const llvm::Function *, bool> Outside;
};

/// Functions of a skeleton that only constructors reach.
llvm::DenseSet<const llvm::Function *> onlyBeforeOperator(const llvm::Module &Skeleton);

} // namespace memshape

#endif // MEMSHAPE_CONSTRUCTORS_H
