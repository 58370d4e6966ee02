// How objects are built, of a document.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/LibraryTable.h"
#include "libraries/reader/Members.h"

using namespace llvm;

namespace memshape {

static bool readSymbol(const json::Value &V, BuildModel &Of, json::Path P) {
  Members M(V, P);
  BuildSymbol S;
  if (!M || !M.optional("name", S.Name) || !readArgument(M, "argument", S.Argument) || !M.optional("open", S.Open) ||
      !readArgument(M, "count", S.Count) || !M.optional("type", S.Type) || !M.optional("setting", S.Setting) ||
      !M.optional("read", S.Read) || !M.noOthers())
    return false;
  if (S.Name.empty()) {
    M.at("name").report("a symbol needs the name of its accessor");
    return false;
  }
  Of.Symbols.push_back(std::move(S));
  return true;
}

static bool readSetting(const json::Value &V, BuildModel &Of, json::Path P) {
  Members M(V, P);
  BuildSetting S;
  if (!M || !M.optional("name", S.Name) || !M.optional("default", S.Default) || !M.noOthers())
    return false;
  if (S.Name.empty()) {
    M.at("name").report("a setting needs a name");
    return false;
  }
  Of.Settings.push_back(std::move(S));
  return true;
}

static bool readPart(const json::Value &V, BuildModel &Of, json::Path P) {
  Members M(V, P);
  BuildPart Part;
  if (!M || !M.optional("name", Part.Name) || !readArgument(M, "type", Part.Type) ||
      !readArgument(M, "types", Part.Types) || !readArgument(M, "key", Part.Key) ||
      !readArgument(M, "count", Part.Count) || !M.optional("new", Part.New) || !M.optional("times", Part.Times) ||
      !M.optional("add", Part.Add) || !M.optional("read", Part.Read) || !M.noOthers())
    return false;
  Of.Parts.push_back(std::move(Part));
  return true;
}

static bool readInner(const json::Value &V, BuildModel &Of, json::Path P) {
  Members M(V, P);
  BuildInner Inner;
  if (!M || !readArgument(M, "type", Inner.Type) || !M.optional("under", Inner.Under) || !M.optional("at", Inner.At) ||
      !M.optional("behind", Inner.Behind) || !M.noOthers())
    return false;
  Of.Inner.push_back(std::move(Inner));
  return true;
}

/// Elements that are no plain numbers have an entry of their own: `holds`.
static bool readHolds(Members &M, std::string &Suffix) {
  std::string Holds;
  if (!M.optional("holds", Holds))
    return false;
  if (!Holds.empty() && Holds != "objects" && Holds != "integers" && Holds != "arrays") {
    M.at("holds").report("expected \"objects\", \"integers\" or \"arrays\"");
    return false;
  }
  Suffix = Holds.empty() ? "" : "/" + Holds;
  return true;
}

bool LibraryTable::readBuild(const json::Value &V, bool Fixed, json::Path P) {
  Members M(V, P);
  SmallVector<std::string, 4> Names;
  BuildModel B;
  B.Fixed = Fixed;
  std::string Holds;
  if (!M || !readNameList(M, Names, /*Wildcards=*/false) || !readArgument(M, "element", B.Element) ||
      !readArgument(M, "object", B.Object) || !readArgument(M, "range", B.Range) ||
      !readEach(M, "symbols", [&](const json::Value &S, json::Path At) { return readSymbol(S, B, At); }) ||
      !readEach(M, "settings", [&](const json::Value &S, json::Path At) { return readSetting(S, B, At); }) ||
      !M.optional("first", B.First) || !M.optional("factory", B.Factory) || !M.optional("arguments", B.Arguments) ||
      !M.optional("then", B.Then) || !M.optional("data", B.Data) || !M.optional("bytes", B.Bytes) ||
      !M.optional("contents", B.Contents) || !M.optional("unbuilt", B.Unbuilt) ||
      !readEach(M, "parts", [&](const json::Value &S, json::Path At) { return readPart(S, B, At); }) ||
      !readEach(M, "inner", [&](const json::Value &S, json::Path At) { return readInner(S, B, At); }) ||
      !M.optional("distinct", B.Distinct) || !readHolds(M, Holds) || !M.optional("members", B.Members) || !M.noOthers())
    return false;
  for (const std::string &Name : Names)
    Built.try_emplace(Name + Holds, B);
  return true;
}

} // namespace memshape
