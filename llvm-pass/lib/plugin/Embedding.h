//===- Embedding.h - What a module leaves for the tools -------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_EMBEDDING_H
#define MEMSHAPE_EMBEDDING_H

#include "llvm/IR/Module.h"
#include "llvm/Passes/OptimizationLevel.h"

namespace memshape {

/// Puts into M's section what its source says, its code, and a skeleton for each of its operators. Skeletons are cut
/// from Copy, an earlier state of M, or from M where that is null; the code is Copy's where CopyKeptAll says that both
/// allocate alike. All of it but the first is made apart (memshape/Apart.h): a skeleton that cannot be made is a
/// document that says why.
void embedRecords(llvm::Module &M, llvm::Module *Copy, bool CopyKeptAll, llvm::OptimizationLevel Level);

} // namespace memshape

#endif // MEMSHAPE_EMBEDDING_H
