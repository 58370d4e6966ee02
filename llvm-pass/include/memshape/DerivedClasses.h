// Classes that callers choose.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/StringRef.h"

namespace memshape {

/// What a builder calls where the caller chooses the class of an argument; the class that is written follows.
inline constexpr llvm::StringLiteral DerivedClasses = "virtual functions of classes derived from ";

/// Why such an answer is one of many, for the reader.
inline constexpr llvm::StringLiteral MayBeDerived = "a caller may give an object of such a class";

} // namespace memshape
