// Copies that the optimiser has made one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Members that lie side by side are copied as one vector: of a string that is moved its length, which follows from the
// shape, with its capacity, where a short one has characters. Both are data then.

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Copies each number of such a vector by itself.
void splitMergedCopies(llvm::Module &M);

} // namespace memshape
