// Assembly statements of the source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/StringRef.h"

namespace memshape {

/// Text is an assembly statement that does nothing: blanks, comments and line ends.
bool isEmptyAssembly(llvm::StringRef Text);

} // namespace memshape
