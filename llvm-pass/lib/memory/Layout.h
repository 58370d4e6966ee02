// Where the parts of an object end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An index that is not constant runs through one part of an object: the small buffer of a container, not the sizes and
// pointers that stand behind it. The type of the variable says where that part ends.

#pragma once

#include "memory/Place.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"

namespace memshape {

/// The part of an object of type T that a pointer to byte Offset may walk through. Nothing is known at the object's
/// start (a pointer to the whole), in unions, and where neither an array nor a structure starts.
///
///     struct { long n; struct { T *first; T small[4]; long used; } v; }
///              0                   8        16             48
///     16, 24 -> [16, 48)   the array
///     8      -> [8, 56)    a pointer to v
Extent partOf(llvm::Type *T, int64_t Offset, const llvm::DataLayout &DL);

/// Gives local variables with unions in them types that say nothing about the unions: one of a union's members stands
/// for it in IR, and would be taken for the truth once the variable is split.
void hideUnions(llvm::Function &F);

} // namespace memshape
