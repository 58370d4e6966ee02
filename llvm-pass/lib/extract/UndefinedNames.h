// What a module needs from others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Module.h"
#include <string>
#include <vector>

namespace memshape {

/// Linker's names of what M uses and does not define, sorted; intrinsics and functions of the runner are left out.
std::vector<std::string> undefinedNames(const llvm::Module &M);

} // namespace memshape
