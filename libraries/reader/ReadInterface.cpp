// Types, methods and functions of a document.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/LibraryTable.h"
#include "libraries/reader/Members.h"

using namespace llvm;

namespace memshape {

/// What documents said of extents, for formulas that features had.
static constexpr StringLiteral MembersOfThePast[] = {"reduces", "integers", "static", "extents", "bytes"};

static bool readHolding(Members &M, StringLiteral Name, Holding &Out) {
  return readChoice<Holding>(M, Name,
                             {{"sequence", Holding::Sequence},
                              {"text", Holding::Text},
                              {"nodes", Holding::Nodes},
                              {"matrix", Holding::Matrix},
                              {"tensor", Holding::Tensor},
                              {"handle", Holding::Handle}},
                             "expected sequence, text, nodes, matrix, tensor or handle", Out);
}

bool LibraryTable::readType(const json::Value &V, json::Path P) {
  Members M(V, P);
  SmallVector<std::string, 8> Names;
  TypeModel T;
  if (!M || !readNameList(M, Names, /*Wildcards=*/false) || (M.get("holds") && !readHolding(M, "holds", T.Holds)) ||
      !readArgument(M, "element", T.Element) || !readArgument(M, "rows", T.FixedRows) ||
      !readArgument(M, "columns", T.FixedColumns) || !readArgument(M, "like", T.Like) ||
      !readArgument(M, "views", T.Views) || !M.optional("direct", T.Direct) || !M.optional("counts", T.Counts) ||
      !M.optional("allocates", T.Allocates))
    return false;
  if (const json::Value *When = M.get("temporary")) {
    Members Parts(*When, M.at("temporary"));
    if (!Parts || !readArgument(Parts, "argument", T.Temporary) || !Parts.optional("value", T.TemporaryValue) ||
        !Parts.noOthers())
      return false;
    if (T.Temporary < 0) {
      M.at("temporary").report("needs the number of a template argument, and its value");
      return false;
    }
  }
  for (StringLiteral Past : MembersOfThePast)
    (void)M.get(Past);
  if (!M.noOthers())
    return false;
  if (int(T.Holds != Holding::None) + (T.Like >= 0) + (T.Views >= 0) > 1) {
    P.report("a type 'holds' memory, or is 'like' another, or 'views' one");
    return false;
  }
  for (const std::string &Name : Names)
    Types.try_emplace(Name, T);
  return true;
}

bool LibraryTable::readMethod(const json::Value &V, Interface &Of, json::Path P) {
  Members M(V, P);
  SmallVector<std::string, 16> Names;
  MethodModel Rule;
  if (!M || !readNameList(M, Names, /*Wildcards=*/true) || !readSize(M, "arguments", Rule.Arguments) ||
      (M.get("size") &&
       !readChoice<Sizing>(M, "size",
                           {{"sets", Sizing::Sets}, {"reserves", Sizing::Reserves}, {"grows", Sizing::Grows}},
                           "expected sets, reserves or grows", Rule.Effect)) ||
      (M.get("makes") && !readChoice<Making>(M, "makes", {{"object", Making::Object}}, "expected object", Rule.Makes)))
    return false;
  Rule.Measures = M.get("number") != nullptr;
  for (StringLiteral Past : MembersOfThePast)
    (void)M.get(Past);
  const json::Value *Holders = M.get("of");
  std::vector<std::string> Words;
  if (Holders && !fromJSON(*Holders, Words, M.at("of")))
    return false;
  for (auto [I, Word] : enumerate(Words)) {
    json::Object One{{"of", Word}};
    const json::Value Wrapped(std::move(One));
    Members Single(Wrapped, P);
    Holding Kind = Holding::None;
    if (!readHolding(Single, "of", Kind))
      return false;
    Rule.Holders |= 1u << unsigned(Kind);
  }
  if (!M.noOthers())
    return false;
  const MethodModel *Kept = &Of.Rules.emplace_back(Rule);
  for (const std::string &Name : Names) {
    if (Name != "*" && StringRef(Name).find_first_of("*?") != StringRef::npos) {
      P.field("names").report("only * alone stands for other names");
      return false;
    }
    Of.Methods[Name].push_back(Kept);
  }
  return true;
}

bool LibraryTable::readCall(const json::Value &V, json::Path P) {
  Members M(V, P);
  SmallVector<std::string, 16> Names;
  CallModel C;
  if (!M || !readNameList(M, Names, /*Wildcards=*/false) || !readArgument(M, "arguments", C.Arguments) ||
      !readArgument(M, "count", C.Count) || !readArgument(M, "fills", C.Fills))
    return false;
  const json::Value *Value = M.get("value");
  C.HandsOn = Value && *Value == json::Value("argument");
  if (M.get("makes") &&
      !readChoice<Making>(M, "makes", {{"object", Making::Object}, {"shared object", Making::SharedObject}},
                          "expected object or shared object", C.Makes))
    return false;
  if ((C.HandsOn && C.Arguments != 1) || C.Fills >= (C.Arguments < 0 ? 0 : C.Arguments)) {
    P.report("'arguments' is 1 where the value is an argument, and above 'fills'");
    return false;
  }
  for (StringLiteral Past : MembersOfThePast)
    (void)M.get(Past);
  if (!M.noOthers())
    return false;
  for (const std::string &Name : Names)
    Calls.try_emplace(Name, C);
  return true;
}

} // namespace memshape
