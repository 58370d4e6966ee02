// An operator as debug information tells it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A front end without a plugin passes a slice as a pointer and a number, and a small structure in two registers. Debug
// information has what the source says: the parameter's name and its type.

#pragma once

#include "memshape/Handover.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Function.h"

namespace memshape {

/// The path of a function of C++ or Rust in its source, without parameters and hashes: "ops::inner::smooth" of
/// "_ZN3ops5inner6smooth17h0123456789abcdefE". Other names are as they are.
std::string sourcePath(llvm::StringRef Symbol);

/// The same from the scopes that debug information tells; names of generic functions have their arguments.
std::string pathOf(const llvm::DISubprogram &Function);

/// The display name of F as an operator.
std::string operatorName(const llvm::Function &F);

using SourceParameterList = llvm::SmallVector<std::pair<std::string, const llvm::DIType *>, 8>;

/// F's parameters as they are passed, without the place of its result: their names, and their types in the source.
/// Nothing where it does not follow from debug information which argument is which.
SourceParameterList sourceParameters(const llvm::Function &F);

/// Derives an operator from the function and its debug information. A slice is a tensor and the symbol NAME.size, a
/// structure in two registers is two parameters, NAME.FIELD. What debug information does not tell is as in
/// describeFunction().
OperatorFact describeSource(const llvm::Function &F);

} // namespace memshape
