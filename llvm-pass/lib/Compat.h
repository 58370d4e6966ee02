//===- Compat.h - Differences between LLVM 19 and 22 ----------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file of this room that knows release numbers. Each entry names what changed.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_PASS_COMPAT_H
#define MEMSHAPE_PASS_COMPAT_H

#include "llvm/Config/llvm-config.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

// 22 moved the plugin interface to its own library.
#if __has_include("llvm/Plugins/PassPlugin.h")
#include "llvm/Plugins/PassPlugin.h"
#else
#include "llvm/Passes/PassPlugin.h"
#endif

namespace memshape::compat {

/// Inserts I before Where; 20 deprecates insertion points given as instructions.
inline void insertBefore(llvm::Instruction *I, llvm::Instruction *Where) {
#if LLVM_VERSION_MAJOR >= 20
  I->insertBefore(Where->getIterator());
#else
  I->insertBefore(Where);
#endif
}

/// 20 renamed Intrinsic::getDeclaration.
template <typename... Args> llvm::Function *intrinsic(llvm::Module *M, llvm::Intrinsic::ID ID, Args &&...A) {
#if LLVM_VERSION_MAJOR >= 20
  return llvm::Intrinsic::getOrInsertDeclaration(M, ID, std::forward<Args>(A)...);
#else
  return llvm::Intrinsic::getDeclaration(M, ID, std::forward<Args>(A)...);
#endif
}

} // namespace memshape::compat

#endif // MEMSHAPE_PASS_COMPAT_H
