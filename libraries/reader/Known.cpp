// What is known about libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/Known.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace memshape {

static constexpr StringLiteral Documents[] = {
#include "BuiltInDocuments.inc"
};

template <size_t N> static constexpr CompiledBodies compiled(StringLiteral Compiler, const char (&Bitcode)[N]) {
  return {Compiler, StringRef(Bitcode, N - 1)};
}

// The standard promises 65,536 characters in a literal; each compiler that builds this takes more.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings"
static constexpr CompiledBodies Compiled[] = {
#include "CompiledBodies.inc"
};
#pragma GCC diagnostic pop

ArrayRef<StringLiteral> builtInDocuments() { return Documents; }
ArrayRef<CompiledBodies> compiledBodies() { return Compiled; }

namespace {

/// Documents of the user's own: few, and known before anything is asked.
struct Added {
  std::vector<std::string> Documents;
  LibraryTable Table;
};

} // namespace

static Added &added() {
  static Added Instance;
  return Instance;
}

const LibraryTable &builtInLibraries() {
  static const LibraryTable *Instance = [] {
    auto *Table = new LibraryTable; // for as long as the process, whose threads may ask until its end
    std::string Problem;
    for (StringRef Document : Documents)
      if (!Table->read(Document, Problem))
        report_fatal_error(Twine("memshape: built-in documents: ") + Problem);
    return Table;
  }();
  return *Instance;
}

bool addSummaries(StringRef Document, std::string &Problem) {
  Added &User = added();
  if (is_contained(User.Documents, Document))
    return true;
  if (!User.Table.read(Document, Problem))
    return false;
  User.Documents.push_back(Document.str());
  return true;
}

ArrayRef<std::string> addedSummaries() { return added().Documents; }

/// What F finds in the user's table, else in the built-in one.
template <class Function> static auto first(Function F) {
  auto Found = F(added().Table);
  return Found ? Found : F(builtInLibraries());
}

const Summary *knownFunction(StringRef Symbol, Holds Where) {
  return first([&](const LibraryTable &T) { return T.find(Symbol, Where); });
}
const ClassLayout *knownClass(StringRef Type) {
  return first([&](const LibraryTable &T) { return T.findClass(Type); });
}
const KnownAllocator *knownAllocator(StringRef Symbol) {
  return first([&](const LibraryTable &T) { return T.findAllocator(Symbol); });
}
const TypeModel *knownType(StringRef Name) {
  return first([&](const LibraryTable &T) { return T.findType(Name); });
}
const BuildModel *knownBuild(StringRef Name) {
  return first([&](const LibraryTable &T) { return T.findBuild(Name); });
}
const CallModel *knownCall(StringRef Name) {
  return first([&](const LibraryTable &T) { return T.findCall(Name); });
}
const Interface *knownNamespace(StringRef Name) {
  return first([&](const LibraryTable &T) { return T.findNamespace(Name); });
}
bool isClosedNamespace(StringRef Name) {
  return first([&](const LibraryTable &T) { return T.isClosed(Name); });
}
std::optional<Role> knownRole(StringRef Symbol) {
  const Role *Found = first([&](const LibraryTable &T) { return T.findRole(Symbol); });
  return Found ? std::optional(*Found) : std::nullopt;
}
bool isKnownOutside(StringRef Variable) {
  return first([&](const LibraryTable &T) { return T.isOutside(Variable); });
}
StringRef knownForward(StringRef Symbol) {
  const std::string *Found = first([&](const LibraryTable &T) { return T.findForward(Symbol); });
  return Found ? StringRef(*Found) : StringRef();
}

bool isKnownProcessVariable(StringRef Variable) {
  return first([&](const LibraryTable &T) { return T.isProcessVariable(Variable); });
}

} // namespace memshape
