// Calls with a format that may need memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether printf allocates depends on its format: arguments by position, a long precision of a floating-point number,
// %m of scanf need memory. A summary with `format` speaks of constant formats without them. Every other call gets a
// name of its own, of which the next rule speaks.

#pragma once

#include "llvm/IR/Module.h"

namespace memshape {

/// Renames the callee (AnyFormatPrefix) where the format is not as its summary asks, and where its address is taken.
void separateFormats(llvm::Module &M);

} // namespace memshape
