// Parameters that are functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operator may be given a function to call. What that function allocates depends on the caller and is unknown; the
// rest of the operator can still be analysed.

#pragma once

#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace memshape {

/// Attribute on an operator's argument.
inline constexpr llvm::StringLiteral CallersFunction = "memshape-function";

/// Whether V is a function that the operator's caller passes.
inline bool isCallersFunction(const llvm::Value *V) {
  const auto *A = llvm::dyn_cast_or_null<llvm::Argument>(V);
  return A && A->getParent()->getAttributes().hasParamAttr(A->getArgNo(), CallersFunction);
}

/// What V is where it is not null: a function that a call without one does not come to.
inline const llvm::Value *unlessNull(const llvm::Value *V) {
  const auto *Choice = llvm::dyn_cast<llvm::SelectInst>(V);
  const auto IsNull = [](const llvm::Value *Each) { return llvm::isa<llvm::ConstantPointerNull>(Each); };
  return Choice && IsNull(Choice->getFalseValue())  ? Choice->getTrueValue()
         : Choice && IsNull(Choice->getTrueValue()) ? Choice->getFalseValue()
                                                    : V;
}

} // namespace memshape
