//===- SharedVariables.h - Variables whose address escapes ----------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SHAREDVARIABLES_H
#define MEMSHAPE_SHAREDVARIABLES_H

#include "llvm/IR/Module.h"

namespace memshape {

/// Marks such variables of M. M is as the front end made it: after inlining, who can call a function is no longer
/// visible.
void markSharedVariables(llvm::Module &M);

} // namespace memshape

#endif // MEMSHAPE_SHAREDVARIABLES_H
