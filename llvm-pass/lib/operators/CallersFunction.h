// What attributes say of an operator's parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operator may be given a function to call. What that function allocates depends on the caller and is unknown; the
// rest of the operator can still be analysed. A pointer that a builder hands on as the caller gives it may be null;
// members of what it builds are there.

#pragma once

#include "llvm/IR/Function.h"

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

} // namespace memshape
