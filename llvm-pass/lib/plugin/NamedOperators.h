// Operators of a front end that has no plugin.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Module.h"
#include <string>

namespace memshape {

/// Functions of a module, and whether each was named itself, or as one of all: it is an operator then if it has a shape
/// symbol.
using ChosenFunctions = llvm::MapVector<llvm::Function *, bool>;

/// Adds the functions of M that Name means: by the linker's name, by that of an alias, by the path in the source, or by
/// the end of it; "*" stands for every function that other units see. Of a generic function all instances are meant.
/// False where there is none.
bool choose(llvm::Module &M, llvm::StringRef Name, ChosenFunctions &Into);

/// The three names of functions that are most like Name, in at most so many edits, as one would write them: "'f', 'g'".
std::string namesLike(const llvm::Module &M, llvm::StringRef Name, unsigned Edits = UINT_MAX);

/// Makes operators of them, described by their debug information.
void addOperators(llvm::Module &M, const ChosenFunctions &Of);

/// Makes operators of the functions of M that MEMSHAPE_OPERATORS in the environment names, or that are annotated. A name
/// that fits no function, though one is called much the same, is warned of.
void addNamedOperators(llvm::Module &M);

} // namespace memshape
