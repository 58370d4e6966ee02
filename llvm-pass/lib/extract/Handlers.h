// Code that runs because of an exception or a jump.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     try { check(n); } catch (int) { fell = true; }      at one shape nothing is thrown; at another one something was
//
// A skeleton of one shape may have lost this code. What it sets, other calls may have set.

#pragma once

#include "llvm/ADT/DenseSet.h"
#include "llvm/IR/Function.h"

namespace memshape {

class HandlerCode {
public:
  /// Roots: the operator, and what runs before it.
  explicit HandlerCode(llvm::ArrayRef<const llvm::Function *> Roots);

  /// I is executed only where an exception has been thrown that is caught below a root, or where a jump has led back to
  /// a setjmp. What destructors do while an exception leaves the operator is not meant.
  bool contains(const llvm::Instruction &I) const;

private:
  using Definitions = llvm::DenseSet<const llvm::GlobalValue *>;

  Definitions Reached;    ///< by roots
  Definitions Ordinarily; ///< without exceptions and jumps
  Definitions Tried;      ///< by what a handler stands around
  llvm::DenseSet<const llvm::BasicBlock *> Ordinary;
};

} // namespace memshape
