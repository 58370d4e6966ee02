// Functions that read arguments, in the module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "hooks/Hooks.h"

namespace memshape {

/// In a process of its own: bitcode of what reads the symbols and settings of objects that operators of M, the unit's
/// module, are given; "" where nothing does. A reader that would need a function or a variable which M does not use is
/// left out: programs link as they did without it. Shapes of such an operator's calls are unknown.
std::string readerCode(llvm::Module &M);

/// Links that bitcode into M.
ShapeReaders linkReaders(llvm::Module &M, llvm::StringRef Bitcode);

} // namespace memshape
