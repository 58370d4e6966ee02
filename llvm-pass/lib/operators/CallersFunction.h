// What attributes say of an operator's parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operator may be given a function to call. What that function allocates depends on the caller and is unknown; the
// rest of the operator can still be analysed. A pointer that a builder hands on as the caller gives it may be null;
// members of what it builds are there.

#pragma once

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"

namespace memshape {

/// Attribute on an operator's argument.
inline constexpr llvm::StringLiteral CallersFunction = "memshape-function";

/// The same of a pointer to data, on an argument of a builder: the operator's source file.
inline constexpr llvm::StringLiteral CallersPointer = "memshape-pointer";

/// Whether V is a function that the operator's caller passes.
inline bool isCallersFunction(const llvm::Value *V) {
  const auto *A = llvm::dyn_cast_or_null<llvm::Argument>(V);
  return A && A->getParent()->getAttributes().hasParamAttr(A->getArgNo(), CallersFunction);
}

/// The source file of the operator that is handed a pointer as its caller gives it; none for other arguments.
inline llvm::Attribute callersPointer(const llvm::Argument &A) {
  return A.getParent()->getAttributes().getParamAttr(A.getArgNo(), CallersPointer);
}

/// What V is where it is not null: a function that a call without one does not come to.
inline const llvm::Value *unlessNull(const llvm::Value *V) {
  const auto *Choice = llvm::dyn_cast<llvm::SelectInst>(V);
  const auto IsNull = [](const llvm::Value *Each) { return llvm::isa<llvm::ConstantPointerNull>(Each); };
  return Choice && IsNull(Choice->getFalseValue())  ? Choice->getTrueValue()
         : Choice && IsNull(Choice->getTrueValue()) ? Choice->getFalseValue()
                                                    : V;
}

/// The variable that Call's function is read from, where nothing comes of the call: a message, or progress.
inline const llvm::GlobalVariable *listenerOf(const llvm::CallBase &Call) {
  const auto *Read = llvm::dyn_cast<llvm::LoadInst>(Call.getCalledOperand());
  return Read && Call.use_empty()
             ? llvm::dyn_cast<llvm::GlobalVariable>(llvm::getUnderlyingObject(Read->getPointerOperand()))
             : nullptr;
}

/// Call is of a function that the program chooses and that gives back no pointer: it is taken to request no memory.
inline bool isTakenToRequestNothing(const llvm::CallBase &Call) {
  return !Call.getType()->isPtrOrPtrVectorTy() && !Call.getType()->isAggregateType() &&
         (isCallersFunction(unlessNull(Call.getCalledOperand())) || listenerOf(Call));
}

} // namespace memshape
