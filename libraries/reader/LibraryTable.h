// Documents about libraries, read into tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one reader and validator of documents memshape.libraries/1 (docs/libraries.md), built-in and the user's own. A
// name with "::" is a qualified name of C++, matched without parameters and template arguments; any other is the
// linker's. [abc] and {ab,c} are written out when a document is read, * and ? are matched.

#pragma once

#include "libraries/reader/Allocator.h"
#include "libraries/reader/Interface.h"
#include "libraries/reader/Object.h"
#include "libraries/reader/Role.h"
#include "libraries/reader/Summary.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/JSON.h"
#include <deque>
#include <map>

namespace memshape {

class Members;

/// "cv::Mat::create" of its mangled name, "::f" for a function of no namespace; "" for names that are not mangled.
std::string qualifiedName(llvm::StringRef Symbol);

/// Which rules are asked for.
enum class Holds {
  Somewhere,     ///< any
  InEveryModule, ///< those without `unless`
  ForEveryFormat ///< those without `format`, too
};

class LibraryTable {
public:
  /// Adds a document; what is there already goes first. On false, Problem is one line that names the member.
  bool read(llvm::StringRef Document, std::string &Problem);

  /// Of several rules the first, of those that hold there.
  const Summary *find(llvm::StringRef Symbol, Holds Where = Holds::Somewhere) const;
  const ClassLayout *findClass(llvm::StringRef Type) const;
  const KnownAllocator *findAllocator(llvm::StringRef Symbol) const;
  const Role *findRole(llvm::StringRef Symbol) const;
  bool isOutside(llvm::StringRef Variable) const;
  /// A variable without a definition whose contents every process has.
  bool isProcessVariable(llvm::StringRef Variable) const;
  /// What Symbol, a function of a library, calls where the program has none of its own.
  const std::string *findForward(llvm::StringRef Symbol) const;

  /// Of a class template, "std::vector".
  const TypeModel *findType(llvm::StringRef Name) const;
  /// Of a class template, too.
  const BuildModel *findBuild(llvm::StringRef Name) const;
  /// Of a function, "std::max" or "memcpy".
  const CallModel *findCall(llvm::StringRef Name) const;
  /// What stands in this outermost namespace; null where that is not described.
  const Interface *findNamespace(llvm::StringRef Name) const;
  /// Functions in this outermost namespace are not looked into: what they do is described, or their library's own.
  bool isClosed(llvm::StringRef Namespace) const;
  const llvm::StringMap<KnownAllocator> &allocators() const { return Allocators; }

private:
  /// What a library says about all its functions.
  struct OfLibrary {
    llvm::ArrayRef<std::string> Sonames, Prefixes, ExtentTypes;
  };
  bool readLibrary(const llvm::json::Value &V, llvm::json::Path P);
  bool readFunction(const llvm::json::Value &V, const OfLibrary &Library, llvm::json::Path P);
  bool readMemory(Members &M, Summary &S);
  bool readExecution(Members &M, const OfLibrary &Library, Summary &S);
  /// Patterns without * and ?, written out.
  bool readNames(const llvm::json::Value *V, llvm::json::Path P, llvm::ArrayRef<std::string> &Out);
  bool readVariables(Members &M);
  bool readInterface(Members &M);
  bool readClass(const llvm::json::Value &V, llvm::json::Path P);
  bool readAllocator(const llvm::json::Value &V, llvm::json::Path P);
  bool readRole(const llvm::json::Value &V, llvm::json::Path P);
  bool readBuild(const llvm::json::Value &V, bool Fixed, llvm::json::Path P);
  bool readType(const llvm::json::Value &V, llvm::json::Path P);
  bool readMethod(const llvm::json::Value &V, Interface &Of, llvm::json::Path P);
  bool readCall(const llvm::json::Value &V, llvm::json::Path P);
  bool addName(llvm::StringRef Name, llvm::ArrayRef<std::string> Prefixes, const Summary *S, llvm::json::Path P);

  std::deque<std::vector<std::string>> NameLists; ///< summaries refer to them
  std::deque<std::vector<int64_t>> FactLists;     ///< likewise
  std::deque<Summary> Summaries;
  llvm::StringMap<llvm::SmallVector<const Summary *, 1>> Symbols, Qualified;
  std::vector<std::pair<llvm::GlobPattern, const Summary *>> SymbolPatterns, QualifiedPatterns;
  std::deque<std::string> PatternTexts; ///< patterns and summaries refer to their text
  std::vector<llvm::GlobPattern> ProcessVariables;
  std::map<std::string, std::string> Forwards;
  std::vector<ClassLayout> Classes;
  llvm::StringMap<KnownAllocator> Allocators;
  llvm::StringMap<Role> Roles;
  llvm::StringMap<TypeModel> Types;
  llvm::StringMap<BuildModel> Built;
  llvm::StringMap<CallModel> Calls;
  std::deque<Interface> Interfaces;
  std::vector<std::string> Closed;
};

} // namespace memshape
