// Functions that allocate, by name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace clang {
class FunctionDecl;
}

namespace memshape::ast {

/// How one library function allocates. The bytes are the product of up to three arguments and a factor.
struct Allocator {
  llvm::StringRef Space; ///< host, device, pinned, managed, stack
  int Arguments[3];      ///< indices of the arguments to multiply; -1: none
  unsigned Factor = 1;   ///< bytes for each unit of the product
  bool Reallocates = false;
  bool SizeKnown = true; ///< false: the bytes are decided inside (a string's length, a pitch)
};

/// The allocator that a call of Function is; also functions with an alloc_size attribute.
std::optional<Allocator> allocatorOf(const clang::FunctionDecl &Function);

/// True for functions that free their first argument.
bool isRelease(const clang::FunctionDecl &Function);

} // namespace memshape::ast
