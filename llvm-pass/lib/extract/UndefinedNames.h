//===- UndefinedNames.h - What a module needs from others ----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_UNDEFINEDNAMES_H
#define MEMSHAPE_UNDEFINEDNAMES_H

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace memshape {

/// Linker's names of what M uses and does not define, sorted; intrinsics and functions of the runner are left out.
std::vector<std::string> undefinedNames(const llvm::Module &M);

} // namespace memshape

#endif // MEMSHAPE_UNDEFINEDNAMES_H
