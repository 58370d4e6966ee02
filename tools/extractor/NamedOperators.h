// The functions that names mean.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace memshape {

/// The functions of M that Names mean: by the linker's name, by that of an alias, by the path in the source, or by the
/// end of it; "*" stands for every function that other units see and that has a shape symbol. Of a generic function all
/// instances are meant. The error names what is near a name that means nothing, unless such names are to be left out.
llvm::Expected<llvm::SmallVector<llvm::Function *, 4>>
namedFunctions(llvm::Module &M, const std::vector<std::string> &Names, bool LeaveOut);

} // namespace memshape
