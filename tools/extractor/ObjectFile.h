// Modules as object files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace memshape {

/// The object file of M, with what file-level assembly adds.
llvm::Expected<llvm::SmallVector<char, 0>> objectFile(llvm::Module &M);

} // namespace memshape
