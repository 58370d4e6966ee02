//===- Bodies.h - Definitions that become declarations --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_BODIES_H
#define MEMSHAPE_BODIES_H

#include "llvm/IR/GlobalValue.h"

namespace memshape {

/// Leaves of G a declaration under its name, which another module defines. Aliases of it, and indirect functions that it
/// resolves, cannot be without it: each becomes a declaration under its own name. Deletes G if it is one of these.
void leaveDeclaration(llvm::GlobalValue &G);

} // namespace memshape

#endif // MEMSHAPE_BODIES_H
