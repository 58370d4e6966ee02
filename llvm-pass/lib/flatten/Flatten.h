// One function instead of many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alias analysis is precise inside one function and weak across calls. So functions are visited callees first; each one
// inlines its callees, loses its exceptional paths and is simplified. Recursive functions, and those that would exceed
// a size limit, stay calls: the slicer can follow these too.

#pragma once

#include "flatten/Effort.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

namespace memshape {

/// Analyses and simplification pipelines for the functions of one skeleton module.
class Simplifier {
public:
  /// Adds its work to Spent, and begins nothing that would exceed the limit.
  explicit Simplifier(Effort &Spent);
  ~Simplifier();

  /// Registers to SSA, common subexpressions, control flow: linear in the size of F.
  void quick(llvm::Function &F);
  /// Scalar and memory optimisations of a small -O2.
  void thorough(llvm::Function &F);
  /// Replaces loops that only count by their results, and deletes loops without effect.
  void loops(llvm::Function &F);
  /// Unrolls the loops whose metadata asks for it.
  void unroll(llvm::Function &F);
  /// Brings loops to the canonical form for scalar evolution: what does not change in them stands in front.
  void canonical(llvm::Function &F);
  /// Drops unused functions and variables.
  void sweep(llvm::Module &M);

  llvm::FunctionAnalysisManager &analyses();

  Effort &effort() { return Spent; }

private:
  struct State;
  std::unique_ptr<State> S;
  Effort &Spent;
};

/// Inlines what can be inlined in M, whose only external function is Root, and drops exceptional paths unless
/// KeepsThrows. Simplifies functions that were not optimised yet, so that they do not grow. False if the limit of work
/// is reached; M may then be half done.
bool flatten(llvm::Module &M, llvm::Function &Root, Simplifier &Simplify, bool Optimised, bool KeepsThrows = false);

/// Instructions of all functions of M, without fences of arithmetic (Rounding.h), which are none of the program's.
unsigned instructionCount(const llvm::Module &M);

} // namespace memshape
