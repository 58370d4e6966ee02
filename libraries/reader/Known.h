// What is known about libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in documents and bodies, and the documents of the user's own, which come first. The plugin and the pass ask
// here, so that both know the same.

#pragma once

#include "libraries/reader/LibraryTable.h"

namespace memshape {

/// The documents of libraries/, each one string.
llvm::ArrayRef<llvm::StringLiteral> builtInDocuments();

/// A file of libraries/*/bodies as bitcode, see docs/libraries.md; for modules whose compiler calls itself so, or for all.
struct CompiledBodies {
  llvm::StringRef Compiler, Bitcode;
};
llvm::ArrayRef<CompiledBodies> compiledBodies();

/// Built-in documents alone. They are well formed: a test reads each.
const LibraryTable &builtInLibraries();

/// Adds a document of the user's own, before the built-in ones. False, and one line in Problem, where it is not well
/// formed. A document that was added before is not added again. Not while another thread asks.
bool addSummaries(llvm::StringRef Document, std::string &Problem);
/// The documents that were added.
llvm::ArrayRef<std::string> addedSummaries();

/// Null where nothing is known. See LibraryTable.
const Summary *knownFunction(llvm::StringRef Symbol, Holds Where);
const ClassLayout *knownClass(llvm::StringRef Type);
const KnownAllocator *knownAllocator(llvm::StringRef Symbol);
const TypeModel *knownType(llvm::StringRef Name);
const BuildModel *knownBuild(llvm::StringRef Name);
const CallModel *knownCall(llvm::StringRef Name);
const Interface *knownNamespace(llvm::StringRef Name);
bool isClosedNamespace(llvm::StringRef Name);
std::optional<Role> knownRole(llvm::StringRef Symbol);
bool isKnownOutside(llvm::StringRef Variable);
bool isKnownProcessVariable(llvm::StringRef Variable);
/// What Symbol calls where the program has none of its own; "" where nothing is known.
llvm::StringRef knownForward(llvm::StringRef Symbol);

} // namespace memshape
