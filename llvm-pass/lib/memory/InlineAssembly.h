// Assembly statements of the source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/InstrTypes.h"

namespace memshape {

/// Text is an assembly statement that does nothing: blanks, comments and line ends.
bool isEmptyAssembly(llvm::StringRef Text);

/// A statement of a function that builds arguments: memory that the module does not show may lead to what Call is given.
bool tellsAddress(const llvm::CallBase &Call);

/// Another one: what it hands on is memory of the caller's.
bool lendsMemory(const llvm::CallBase &Call);

} // namespace memshape
