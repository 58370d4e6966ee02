// What a module needs from others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace memshape {

/// Linker's names of what M uses and does not define, and of what these call where a program has none of its own
/// (operator new behind operator new[]), sorted; intrinsics and functions of the runner are left out.
std::vector<std::string> undefinedNames(const llvm::Module &M);

} // namespace memshape
