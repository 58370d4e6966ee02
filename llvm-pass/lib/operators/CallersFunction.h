//===- CallersFunction.h - Parameters that are functions ------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operator may be given a function to call. Which one is the caller's business: what it allocates is unknown, and
// the rest of the operator is as known as ever.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_CALLERSFUNCTION_H
#define MEMSHAPE_CALLERSFUNCTION_H

#include "llvm/IR/Argument.h"
#include "llvm/IR/Function.h"

namespace memshape {

/// On an operator's argument.
inline constexpr llvm::StringLiteral CallersFunction = "memshape-function";

/// V is a function that the operator's caller passes.
inline bool isCallersFunction(const llvm::Value *V) {
  const auto *A = llvm::dyn_cast_or_null<llvm::Argument>(V);
  return A && A->getParent()->getAttributes().hasParamAttr(A->getArgNo(), CallersFunction);
}

} // namespace memshape

#endif // MEMSHAPE_CALLERSFUNCTION_H
