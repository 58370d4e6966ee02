//===- SourcePlace.h - Where in the source an instruction stands ----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SOURCEPLACE_H
#define MEMSHAPE_SOURCEPLACE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/DebugLoc.h"
#include <string>

namespace memshape {

struct SourcePlace {
  std::string File; ///< as the compiler knows it; "" where unknown
  std::string Function;
  unsigned Line = 0;
  unsigned Column = 0;
};

/// The inlining chain of Loc, innermost place first; empty without a location.
llvm::SmallVector<SourcePlace, 8> inliningChain(const llvm::DebugLoc &Loc);

/// The place of Loc that its author would name: the innermost one outside system headers, or the innermost of all.
SourcePlace placeForPeople(const llvm::DebugLoc &Loc);

/// The innermost place.
SourcePlace innermostPlace(const llvm::DebugLoc &Loc);

/// The condition written at Place, read from the source file ("x <= 0"): the parenthesised text after if, while, for or
/// switch on that line, else the trimmed line; "" when the file cannot be read.
std::string conditionText(const SourcePlace &Place);

} // namespace memshape

#endif // MEMSHAPE_SOURCEPLACE_H
