//===- InlineAssembly.h - Assembly statements of the source --------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_INLINEASSEMBLY_H
#define MEMSHAPE_INLINEASSEMBLY_H

#include "llvm/ADT/StringRef.h"

namespace memshape {

/// Text is an assembly statement that does nothing: blanks, comments and line ends.
bool isEmptyAssembly(llvm::StringRef Text);

} // namespace memshape

#endif // MEMSHAPE_INLINEASSEMBLY_H
