//===- ModuleRecord.h - The optimised module, for use at predict time -----===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operator may call functions of other translation units. Their bodies are there only when a prediction is asked
// for: each unit leaves its own beside its machine code.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_MODULERECORD_H
#define MEMSHAPE_MODULERECORD_H

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace memshape {

/// Appends to Into the record of kind Module with M as it is now - Into itself, or a copy of it - unless nobody outside
/// could use it: an operator is there, or something that another unit may call or read.
void appendModuleRecord(llvm::Module &Into, llvm::Module &M);

/// Linker's names of what M uses and does not define, sorted; intrinsics and functions of the runner are left out.
std::vector<std::string> undefinedNames(const llvm::Module &M);

} // namespace memshape

#endif // MEMSHAPE_MODULERECORD_H
