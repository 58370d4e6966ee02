// Bitcode of other front ends, and the object file of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace memshape {

/// The modules of Files, linked into one. The error is one line that names the file.
llvm::Expected<std::unique_ptr<llvm::Module>> readBitcode(llvm::LLVMContext &Context,
                                                          const std::vector<std::string> &Files);

/// An error that is its text.
llvm::Error problem(const llvm::Twine &Text);

/// The object file of M, with what file-level assembly adds.
llvm::Expected<llvm::SmallVector<char, 0>> objectFile(llvm::Module &M);

} // namespace memshape
