// Whether pointers lie behind an argument.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tensor is data: what would be read there as a pointer leads nowhere, and the way to it is left out as impossible. So
// an argument is no tensor if other objects or functions may be reached through it: a reference to a vector, a trait
// object.

#pragma once

#include "llvm/IR/Argument.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace memshape {

/// Whether an object of Type, perhaps null for an unknown one, may hold a pointer.
bool holdsPointers(const llvm::DIType *Type);

/// Whether pointers may be read behind the pointer A, an argument of Type in the source; null where that is not known.
bool mayLeadOn(const llvm::Argument &A, const llvm::DIType *Type);

} // namespace memshape
