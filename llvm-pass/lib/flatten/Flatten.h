// One function instead of many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Alias analysis is precise inside one function and weak across calls. So functions are visited callees first; each one
// inlines its callees, loses its exceptional paths and is simplified. Recursive functions, and those that would exceed
// a size limit, stay calls: the slicer can follow these too.

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <algorithm>
#include <cstdint>

namespace memshape {

/// The work of making a skeleton. It is counted, not timed, so that the same source gives the same file on a busy
/// machine. Its unit is the cost of copying an instruction, about a microsecond.
class Effort {
public:
  explicit Effort(uint64_t Allowance = UINT64_MAX) : Allowance(Allowance) {}

  /// Cost of a stage per instruction, and steps of points-to analysis per unit.
  enum Cost : uint64_t { Copying = 1, Quick = 4, Thorough = 8, Loops = 4, Marking = 2, Slicing = 4, Emitting = 16 };
  static constexpr uint64_t StepsOfPointers = 100;
  /// Least cost of most operators, per instruction that they reach.
  static constexpr uint64_t Least = 12;

  /// Adds to the work done. False if it exceeds the limit; then nothing more should be begun.
  bool spend(Cost Each, uint64_t Instructions) {
    Spent += Each * Instructions;
    return !isExhausted();
  }
  /// Lifts the limit, for an operator that is nearly finished.
  void allowAll() { Allowance = UINT64_MAX; }
  bool isExhausted() const { return Spent > Allowance; }
  uint64_t spent() const { return Spent; }
  uint64_t left() const { return Allowance - std::min(Spent, Allowance); }

private:
  uint64_t Allowance, Spent = 0;
};

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
  /// Unrolls loops of four iterations at most. False if there are none.
  bool unrollShort(llvm::Function &F);
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

/// Unfolds the bodies in Root, and answers what they ask of arrays.
void unfoldBodies(llvm::Function &Root, Simplifier &Simplify);

} // namespace memshape
