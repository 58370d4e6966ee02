// Documents about libraries, read into tables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/LibraryTable.h"
#include "libraries/reader/Members.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>

using namespace llvm;

namespace memshape {

bool LibraryTable::readNames(const json::Value *V, json::Path P, ArrayRef<std::string> &Out) {
  std::vector<std::string> Patterns;
  if (V && !fromJSON(*V, Patterns, P))
    return false;
  SmallVector<std::string, 8> Names;
  for (const std::string &Pattern : Patterns)
    expand(Pattern, "", Names);
  if (!Names.empty())
    Out = NameLists.emplace_back(Names.begin(), Names.end());
  return true;
}

bool LibraryTable::readClass(const json::Value &V, json::Path P) {
  Members M(V, P);
  ClassLayout C;
  std::vector<int64_t> Contents, Headers, Own;
  if (!M || !M.optional("type", C.Type) || !M.optional("contents", Contents) || !M.optional("headers", Headers) ||
      !M.optional("own", Own) || !M.noOthers())
    return false;
  if (C.Type.empty()) {
    P.field("type").report("expected the qualified name of a class");
    return false;
  }
  C.Contents.append(Contents.begin(), Contents.end());
  C.Headers.append(Headers.begin(), Headers.end());
  C.Own.append(Own.begin(), Own.end());
  Classes.push_back(std::move(C));
  return true;
}

bool LibraryTable::readVariables(Members &M) {
  std::map<std::string, std::string> OwnForwards;
  ArrayRef<std::string> Names, ForOthers; // who takes these takes them from the documents themselves
  if (!readNames(M.get("stateless"), M.at("stateless"), ForOthers) ||
      !readNames(M.get("replaceable"), M.at("replaceable"), ForOthers) ||
      !readNames(M.get("process_variables"), M.at("process_variables"), Names) || !M.optional("forwards", OwnForwards))
    return false;
  Forwards.merge(OwnForwards);
  for (const std::string &Name : Names) {
    Expected<GlobPattern> Pattern = GlobPattern::create(Name);
    if (!Pattern) {
      consumeError(Pattern.takeError());
      M.at("process_variables").report("not a pattern");
      return false;
    }
    ProcessVariables.push_back(std::move(*Pattern));
  }
  return true;
}

bool LibraryTable::readInterface(Members &M) {
  Interface Of;
  std::vector<std::string> OwnNamespaces;
  if (!M.optional("namespaces", Of.Namespaces) || !M.optional("closed", OwnNamespaces) ||
      !M.optional("expressions", Of.Expressions))
    return false;
  Closed.insert(Closed.end(), Of.Namespaces.begin(), Of.Namespaces.end());
  Closed.insert(Closed.end(), OwnNamespaces.begin(), OwnNamespaces.end());
  const bool Described = !Of.Namespaces.empty();
  Interface &Kept = Interfaces.emplace_back(std::move(Of));
  if (!readEach(M, "types", [&](const json::Value &T, json::Path At) { return readType(T, At); }) ||
      !readEach(M, "methods", [&](const json::Value &R, json::Path At) { return readMethod(R, Kept, At); }) ||
      !readEach(M, "calls", [&](const json::Value &C, json::Path At) { return readCall(C, At); }))
    return false;
  if (!Described && (Kept.Expressions || !Kept.Rules.empty())) {
    M.at("namespaces").report("'methods' and 'expressions' need the namespaces in which they stand");
    return false;
  }
  if (!Described)
    Interfaces.pop_back();
  return true;
}

bool LibraryTable::readLibrary(const json::Value &V, json::Path P) {
  Members M(V, P);
  std::string Name, Note;
  OfLibrary Common;
  bool Fixed = false; // of all its objects
  return M && M.optional("name", Name) && M.optional("note", Note) &&
         readNames(M.get("sonames"), M.at("sonames"), Common.Sonames) &&
         readNames(M.get("prefixes"), M.at("prefixes"), Common.Prefixes) &&
         readNames(M.get("extents"), M.at("extents"), Common.ExtentTypes) && readVariables(M) && readInterface(M) &&
         M.optional("fixed", Fixed) &&
         readEach(M, "objects", [&](const json::Value &B, json::Path At) { return readBuild(B, Fixed, At); }) &&
         readEach(M, "classes", [&](const json::Value &C, json::Path At) { return readClass(C, At); }) &&
         readEach(M, "roles", [&](const json::Value &R, json::Path At) { return readRole(R, At); }) &&
         readEach(M, "allocators", [&](const json::Value &A, json::Path At) { return readAllocator(A, At); }) &&
         readEach(M, "functions", [&](const json::Value &F, json::Path At) { return readFunction(F, Common, At); }) &&
         M.noOthers();
}

/// V with Word in the place of each @ in its texts.
static json::Value variantOf(const json::Value &V, StringRef Word) {
  if (const std::optional<StringRef> Text = V.getAsString()) {
    SmallVector<StringRef, 4> Parts;
    Text->split(Parts, '@');
    return join(Parts, Word);
  }
  if (const json::Array *Elements = V.getAsArray()) {
    json::Array Out;
    for (const json::Value &Each : *Elements)
      Out.push_back(variantOf(Each, Word));
    return Out;
  }
  if (const json::Object *Fields = V.getAsObject()) {
    json::Object Out;
    for (const auto &[Name, Each] : *Fields)
      if (StringRef(Name) != "variants")
        Out[Name] = variantOf(Each, Word);
    return Out;
  }
  return V;
}

bool LibraryTable::read(StringRef Document, std::string &Problem) {
  Expected<json::Value> Parsed = json::parse(Document);
  if (!Parsed) {
    Problem = toString(Parsed.takeError());
    return false;
  }
  json::Path::Root Root("the document");
  json::Path P(Root);
  Members M(*Parsed, P);
  std::string Schema;
  bool Valid = M && M.optional("schema", Schema);
  // What users wrote before there were interfaces.
  if (Valid && Schema != "memshape.libraries/1" && Schema != "memshape.summaries/1") {
    P.field("schema").report("expected memshape.libraries/1");
    Valid = false;
  }
  const auto ReadVariants = [&](const json::Value &Library, json::Path At) {
    const json::Object *Fields = Library.getAsObject();
    const json::Value *Words = Fields ? Fields->get("variants") : nullptr;
    if (!Words)
      return readLibrary(Library, At);
    std::vector<std::string> All;
    return fromJSON(*Words, All, At.field("variants")) &&
           all_of(All, [&](const std::string &Word) { return readLibrary(variantOf(Library, Word), At); });
  };
  Valid = Valid && readEach(M, "libraries", ReadVariants) && M.noOthers();
  if (!Valid)
    Problem = toString(Root.getError());
  return Valid;
}

std::string qualifiedName(StringRef Symbol) {
  if (!Symbol.starts_with("_Z"))
    return "";
  std::string Mangled = Symbol.str(); // the demangler points into it
  ItaniumPartialDemangler D;
  if (D.partialDemangle(Mangled.c_str()) || !D.isFunction())
    return "";
  auto Text = [&](char *Part) {
    std::string Result = Part ? Part : "";
    std::free(Part);
    return Result;
  };
  std::string Scope = Text(D.getFunctionDeclContextName(nullptr, nullptr));
  std::string Name = Text(D.getFunctionBaseName(nullptr, nullptr));
  return Scope.empty() ? "::" + Name : Scope + "::" + Name;
}

const Summary *LibraryTable::find(StringRef Symbol, Holds Where) const {
  auto Fits = [Where](const Summary &S) {
    return (Where == Holds::Somewhere || S.Unless.empty()) && (Where != Holds::ForEveryFormat || !S.Format);
  };
  auto FirstOf = [&](const auto &Rules, StringRef Name) -> const Summary * {
    auto At = Rules.find(Name);
    if (At == Rules.end())
      return nullptr;
    auto Found = find_if(At->second, [&](const Summary *S) { return Fits(*S); });
    return Found == At->second.end() ? nullptr : *Found;
  };
  if (const Summary *Found = FirstOf(Symbols, Symbol))
    return Found;
  std::string Name = qualifiedName(Symbol);
  if (!Name.empty()) {
    if (const Summary *Found = FirstOf(Qualified, Name))
      return Found;
    for (const auto &[Pattern, S] : QualifiedPatterns)
      if (Fits(*S) && Pattern.match(Name))
        return S;
  }
  for (const auto &[Pattern, S] : SymbolPatterns)
    if (Fits(*S) && Pattern.match(Symbol))
      return S;
  return nullptr;
}

const KnownAllocator *LibraryTable::findAllocator(StringRef Symbol) const {
  auto At = Allocators.find(Symbol);
  return At == Allocators.end() ? nullptr : &At->second;
}

const Role *LibraryTable::findRole(StringRef Symbol) const {
  auto At = Roles.find(Symbol);
  return At == Roles.end() ? nullptr : &At->second;
}

bool LibraryTable::isOutside(StringRef Variable) const {
  return any_of(Summaries, [&](const Summary &S) { return is_contained(S.Outside, Variable); });
}

const ClassLayout *LibraryTable::findClass(StringRef Type) const {
  for (const ClassLayout &C : Classes)
    if (Type == C.Type)
      return &C;
  return nullptr;
}

const std::string *LibraryTable::findForward(StringRef Symbol) const {
  const auto Found = Forwards.find(Symbol.str());
  return Found == Forwards.end() ? nullptr : &Found->second;
}

bool LibraryTable::isProcessVariable(StringRef Variable) const {
  return any_of(ProcessVariables, [&](const GlobPattern &Pattern) { return Pattern.match(Variable); });
}

const BuildModel *LibraryTable::findBuild(StringRef Name) const {
  auto At = Built.find(Name);
  return At == Built.end() ? nullptr : &At->second;
}

const TypeModel *LibraryTable::findType(StringRef Name) const {
  auto At = Types.find(Name);
  return At == Types.end() ? nullptr : &At->second;
}

const CallModel *LibraryTable::findCall(StringRef Name) const {
  auto At = Calls.find(Name);
  return At == Calls.end() ? nullptr : &At->second;
}

const Interface *LibraryTable::findNamespace(StringRef Name) const {
  for (const Interface &Each : Interfaces)
    if (is_contained(Each.Namespaces, Name))
      return &Each;
  return nullptr;
}

bool LibraryTable::isClosed(StringRef Namespace) const { return is_contained(Closed, Namespace); }

SmallVector<const MethodModel *, 4> Interface::methods(StringRef Name) const {
  SmallVector<const MethodModel *, 4> Result;
  for (StringRef Each : {Name, StringRef("*")})
    if (auto At = Methods.find(Each); At != Methods.end())
      Result.append(At->second.begin(), At->second.end());
  return Result;
}

} // namespace memshape
