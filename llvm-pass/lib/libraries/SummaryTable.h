//===- SummaryTable.h - Summaries by name ---------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The documents memshape.summaries/1 (docs/libraries.md), read into tables. A name with "::" is a qualified name of
// C++, matched without parameters and template arguments; any other is the linker's. [abc] and {ab,c} are written out
// when a document is read, * and ? are matched.
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_SUMMARYTABLE_H
#define MEMSHAPE_SUMMARYTABLE_H

#include "libraries/Summaries.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/JSON.h"
#include <deque>

namespace memshape {

/// "cv::Mat::create" of its mangled name, "::f" for a function of no namespace; "" for names that are not mangled.
std::string qualifiedName(llvm::StringRef Symbol);

class SummaryTable {
public:
  /// Adds a document; what is there already goes first. On false, Problem is one line that names the member.
  bool read(llvm::StringRef Document, std::string &Problem);

  /// Of several rules the first. Without Conditional, of those that hold in every module.
  const Summary *find(llvm::StringRef Symbol, bool Conditional = true) const;
  const ClassLayout *findClass(llvm::StringRef Type) const;
  const DeclaredAllocator *findAllocator(llvm::StringRef Symbol) const;
  bool isOutside(llvm::StringRef Variable) const;

private:
  bool readLibrary(const llvm::json::Value &V, llvm::json::Path P);
  /// What a library says about all its functions.
  struct OfLibrary {
    llvm::ArrayRef<std::string> Sonames, Prefixes, ExtentTypes;
  };
  bool readFunction(const llvm::json::Value &V, const OfLibrary &Library, llvm::json::Path P);
  /// Patterns without * and ?, written out.
  bool readNames(const llvm::json::Value *V, llvm::json::Path P, llvm::ArrayRef<std::string> &Out);
  bool readClass(const llvm::json::Value &V, llvm::json::Path P);
  bool readAllocator(const llvm::json::Value &V, llvm::json::Path P);
  bool addName(llvm::StringRef Name, llvm::ArrayRef<std::string> Prefixes, const Summary *S, llvm::json::Path P);

  std::deque<std::vector<std::string>> NameLists; ///< summaries refer to them
  std::deque<Summary> Summaries;
  llvm::StringMap<const Summary *> Symbols, Qualified;
  std::vector<std::pair<llvm::GlobPattern, const Summary *>> SymbolPatterns, QualifiedPatterns;
  std::deque<std::string> PatternTexts; ///< patterns and summaries refer to their text
  std::vector<ClassLayout> Classes;
  llvm::StringMap<DeclaredAllocator> Allocators;
};

} // namespace memshape

#endif // MEMSHAPE_SUMMARYTABLE_H
