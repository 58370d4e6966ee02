// Definitions that become declarations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/IR/GlobalValue.h"

namespace memshape {

/// Beginning of the names of functions that stand for a library's, see docs/libraries.md.
inline constexpr char BodyPrefix[] = "memshape.body.";

/// Leaves of G a declaration under its name, which another module defines. Aliases of it, and indirect functions that it
/// resolves, cannot be without it: each becomes a declaration under its own name. Deletes G if it is one of these.
void leaveDeclaration(llvm::GlobalValue &G);

} // namespace memshape
