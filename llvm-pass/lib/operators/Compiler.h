// What a function was compiled by.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/Function.h"
#include <string>

namespace memshape {

/// "clang 22", "flang 19", "rustc 1.95": by debug information, else by what the module says of itself. "LLVM 22", the
/// release that reads it, where neither tells.
std::string compilerOf(const llvm::Function &F);

/// "-O0" where debug information tells that F's unit was not optimised, else "": bitcode does not say how much it was.
llvm::StringRef levelOf(const llvm::Function &F);

} // namespace memshape
