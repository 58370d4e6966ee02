// The operators of a module, as metadata.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `!memshape.operators` lists { function, name, file, line, has this, ..., parameters } for each operator of the module:
//
//     !memshape.operators = !{!0}
//     !0 = !{ptr @gst3d, !"gst3d", !"gst3d.cpp", i32 12, i1 false, !1, !2, !3}
//     !1 = !{!"ni", !"shape", i32 64, i1 false}

#pragma once

#include "memshape/Handover.h"
#include "llvm/IR/Module.h"

namespace memshape {

/// An operator and the function that computes it.
struct Operator {
  llvm::Function *Function = nullptr;
  OperatorFact Fact;

  /// The function's argument that carries parameter Index of the source; null when the ABI changed the list, as it does
  /// for classes passed by value.
  llvm::Argument *argumentOf(unsigned Index) const;

  /// True when arguments and parameters correspond one to one (after a result slot and `this`).
  bool argumentsMatch() const;
};

/// Operators of M in the order of their definition.
llvm::SmallVector<Operator, 4> operatorsOf(llvm::Module &M);

/// Further clones of operators of M, for other processors, which programs may call too.
llvm::SmallVector<Operator, 4> otherClonesOf(llvm::Module &M);

/// Adds one operator to M's metadata, and prevents inlining of its function and changes of its signature.
void addOperator(llvm::Module &M, llvm::Function &F, const OperatorFact &Fact);
/// The same for an operator with several clones, the default one first; does nothing if there is none.
void addOperator(llvm::Module &M, llvm::ArrayRef<llvm::Function *> Clones, const OperatorFact &Fact);

/// Removes the operators that were added to M.
void forgetOperators(llvm::Module &M);

/// Derives an operator from the function alone, for a module that the plugin did not see: integers are shape symbols,
/// floating-point numbers settings, pointers tensors; names are those of the arguments.
OperatorFact describeFunction(const llvm::Function &F);

/// Functions with the annotation "memshape.operator".
llvm::SmallVector<llvm::Function *, 4> annotatedFunctions(llvm::Module &M);

} // namespace memshape
