//===- Flatten.h - One function instead of many ---------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Alias analysis is strong inside one function and weak across calls. Functions are visited callees first; each one
// takes in the bodies of what it calls, loses its exceptional paths and is simplified. Recursive functions and what
// would grow beyond a limit stay calls: the slicer can follow those too.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_FLATTEN_H
#define MEMSHAPE_FLATTEN_H

#include "flatten/Effort.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace memshape {

/// Analyses and simplification pipelines for the functions of one skeleton module.
class Simplifier {
public:
  /// What is done is added to Spent; what would be too much is not begun.
  explicit Simplifier(Effort &Spent);
  ~Simplifier();

  /// Registers to SSA, common subexpressions, control flow: linear in the size of F.
  void quick(llvm::Function &F);
  /// What a small -O2 does with scalars and memory.
  void thorough(llvm::Function &F);
  /// Computes what loops only count, and deletes those that then do nothing.
  void loops(llvm::Function &F);
  /// Brings loops to the form that scalar evolution knows best.
  void canonical(llvm::Function &F);
  /// Drops functions and variables that nothing uses.
  void sweep(llvm::Module &M);

  llvm::FunctionAnalysisManager &analyses();

  Effort &effort() { return Spent; }

private:
  struct State;
  std::unique_ptr<State> S;
  Effort &Spent;
};

/// Inlines what can be inlined in M, which has Root as its only external function, and drops exceptional paths, unless
/// KeepsThrows. Functions that no optimiser has seen are simplified on the way, lest they grow. False where that
/// is more work than is allowed; it may then be half done.
bool flatten(llvm::Module &M, llvm::Function &Root, Simplifier &Simplify, bool Optimised, bool KeepsThrows = false);

/// Instructions of all functions of M.
unsigned instructionCount(const llvm::Module &M);

} // namespace memshape

#endif // MEMSHAPE_FLATTEN_H
