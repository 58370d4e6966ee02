// What is executed before the operator is called.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

namespace memshape {

/// What of a skeleton builds arguments: what comes in front of a mark of the front end, and what is called from there
/// alone.
class BuildsArguments {
public:
  explicit BuildsArguments(const llvm::Function &Root);
  /// Arguments are built at all.
  bool any() const { return !Ends.empty(); }
  /// I is over before the operator is called; false where no argument is built.
  bool contains(const llvm::Instruction &I) const;

private:
  const llvm::Function &Root;
  llvm::SmallVector<const llvm::CallBase *, 2> Ends;      ///< the marks: simplification may have made several of one
  llvm::SmallPtrSet<const llvm::BasicBlock *, 32> Behind; ///< what may run once the operator is called
  llvm::SmallPtrSet<const llvm::Function *, 8> Callees;   ///< that only what builds arguments calls
};

} // namespace memshape
