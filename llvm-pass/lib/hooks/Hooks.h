//===- Hooks.h - Tells the runtime of allocations and operator calls ------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_HOOKS_PASS_H
#define MEMSHAPE_HOOKS_PASS_H

#include "llvm/IR/Module.h"

namespace memshape {

/// Puts the hooks of runtime/include/memshape/hooks.h before every allocation and free of M and around its operators.
/// Returns false when there was nothing to do.
bool insertHooks(llvm::Module &M);

} // namespace memshape

#endif // MEMSHAPE_HOOKS_PASS_H
