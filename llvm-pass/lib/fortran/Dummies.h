// What lies behind the arguments of a Fortran procedure.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fortran passes by reference, and arrays without a given shape by a descriptor:
//
//     ptr base, i64 bytes of an element, i32 version, i8 rank, i8 type, i8 attribute, i8 extra,
//     [rank x { i64 lower bound, i64 extent, i64 stride in bytes }]
//     and, of derived types, ptr type, [1 x i64] length parameters
//
// Debug information says which argument is what. So `integer :: n` is a cell of four bytes that holds the symbol n, and
// `real :: x(:,:)` is a descriptor with the symbols x.shape[0] and x.shape[1], whose base is the tensor x.

#pragma once

#include "arguments/PassedArguments.h"
#include "llvm/IR/Function.h"
#include <optional>

namespace memshape {

/// Whether flang has made F's module.
bool isFortran(const llvm::Module &M);

/// Whether no other unit can give G another value: flang names constants of the source by what they hold, or by a
/// checksum of it, and lets the linker choose one.
bool isNamedByContents(const llvm::GlobalVariable &G);

/// Its name as people write it: "smooth", "filters::smooth".
std::string displayNameOf(const llvm::Function &F);

/// F is what a main program is compiled to.
bool isProgram(const llvm::Function &F);

/// Nothing where debug information does not say what the arguments are.
std::optional<PassedArguments> dummiesOf(const llvm::Function &F);

} // namespace memshape
