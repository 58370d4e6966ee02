// What functions without a body do to memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A skeleton meets functions that nobody compiled with memshape: libc, libm, libstdc++, BLAS, FFTW. A summary says how
// each is treated; a function without one is dropped, named in the answer, and makes the answer inexact. Summaries are
// data: libraries/*/*.json, and a file of the user's own, in the format of docs/libraries.md.

#pragma once

#include "libraries/reader/Summary.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/InstrTypes.h"
#include <string>

namespace memshape {

/// True for a variable without a definition here whose contents every process of this system has: streams, the C++
/// library's own tables. Other undefined variables have unknown contents.
bool isProcessVariable(const llvm::GlobalVariable &G);

/// True for a variable that some summary names as a way out of the process (Summary::Outside).
bool isOutsideVariable(const llvm::GlobalVariable &G);

/// The summary of declaration F.
Summary summaryOf(const llvm::Function &F);

/// Call gives a number of which the sign alone is certain.
bool givesSign(const llvm::CallBase &Call);

/// The summary of the function that stands at byte Offset of vtable Table of a library.
Summary summaryOfVirtual(const llvm::GlobalVariable &Table, int64_t Offset);

/// The layout of a structure type of IR by its name; null where no summary knows it.
const ClassLayout *classLayout(llvm::StringRef TypeName);

/// The structure type of which F is a member function, where a summary knows its layout; else null.
llvm::StructType *classOf(const llvm::Function &F);

/// Documents of the user's own go with a module, so that a skeleton that is cut from it later knows them too.
void attachSummaries(llvm::Module &M);
bool addAttachedSummaries(const llvm::Module &M, std::string &Problem);

/// Attribute of a call that the compiler may replace by that of a library which computes several numbers at a time.
inline constexpr char VectorisedCall[] = "memshape-vectorised";
/// Attribute of a call that writes an address, or an error of the process, as text.
inline constexpr char DataTold[] = "memshape-data-told";

/// Prefix of the name under which a call that asks for a workspace's size is known inside a skeleton.
inline constexpr char QueryPrefix[] = "memshape.query.";
/// The same for a call with a format of which the first rule does not speak.
inline constexpr char AnyFormatPrefix[] = "memshape.any_format.";
/// The name of F without such a prefix.
llvm::StringRef nameOf(const llvm::Function &F);

} // namespace memshape
