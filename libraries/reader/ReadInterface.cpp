// Types, methods and functions of a document.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/LibraryTable.h"
#include "libraries/reader/Members.h"

using namespace llvm;

namespace memshape {

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
      !readArgument(M, "views", T.Views) || !readArgument(M, "reduces", T.Reduces) || !M.optional("direct", T.Direct) ||
      !M.optional("counts", T.Counts) || !M.optional("allocates", T.Allocates))
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

/// An extent: a number, or a word for one.
static bool readTerm(const json::Value &V, MethodModel &Rule, json::Path P) {
  ExtentTerm Term;
  const std::optional<int64_t> Number = V.getAsInteger();
  const StringRef Word = V.getAsString().value_or("");
  StringRef Rest = Word;
  if (Number && *Number >= 0 && *Number < 1 << 16) {
    Term = {ExtentTerm::Constant, int(*Number)};
  } else if (Rest.consume_front("integer ") && !Rest.getAsInteger(10, Term.Number) && Term.Number >= 0) {
    Term.Kind = ExtentTerm::Integer;
    if (unsigned(Term.Number) >= Rule.Integers) {
      P.report("the rule asks for fewer 'integers'");
      return false;
    }
  } else if (Word == "last" && Rule.Integers) {
    Term.Kind = ExtentTerm::Last;
  } else if (Word == "rows") {
    Term.Kind = ExtentTerm::Rows;
  } else if (Word == "columns") {
    Term.Kind = ExtentTerm::Columns;
  } else if (Word == "shorter") {
    Term.Kind = ExtentTerm::Shorter;
  } else if (Word == "right columns" && Rule.Arguments) {
    Term.Kind = ExtentTerm::RightColumns;
  } else {
    P.report("expected a number, rows, columns, shorter, 'integer N', last or right columns, and as many 'integers' or "
             "'arguments' of the rule");
    return false;
  }
  Rule.Extents.push_back(Term);
  return true;
}

/// What the method does: to the object's size, as a number, as a maker.
static bool readEffect(Members &M, MethodModel &Rule) {
  return (!M.get("size") ||
          readChoice<Sizing>(M, "size",
                             {{"sets", Sizing::Sets}, {"reserves", Sizing::Reserves}, {"grows", Sizing::Grows}},
                             "expected sets, reserves or grows", Rule.Effect)) &&
         (!M.get("number") ||
          readChoice<Measure>(M, "number",
                              {{"count", Measure::Count},
                               {"rows", Measure::Rows},
                               {"columns", Measure::Columns},
                               {"dimension", Measure::Dimension},
                               {"unknown", Measure::Unknown}},
                              "expected count, rows, columns, dimension or unknown", Rule.Number)) &&
         (!M.get("makes") ||
          readChoice<Making>(M, "makes", {{"object", Making::Object}}, "expected object", Rule.Makes));
}

bool LibraryTable::readMethod(const json::Value &V, Interface &Of, json::Path P) {
  Members M(V, P);
  SmallVector<std::string, 16> Names;
  MethodModel Rule;
  if (!M || !readNameList(M, Names, /*Wildcards=*/true) || !readSize(M, "arguments", Rule.Arguments) ||
      !readSize(M, "integers", Rule.Integers) || !M.optional("static", Rule.Static) || !readEffect(M, Rule))
    return false;
  if (!readEach(M, "extents", [&](const json::Value &T, json::Path At) { return readTerm(T, Rule, At); }))
    return false;
  if (!Rule.Extents.empty() && Rule.Extents.size() != 2) {
    M.at("extents").report("expected two extents");
    return false;
  }
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
      !readArgument(M, "count", C.Count) || !readArgument(M, "fills", C.Fills) || !readArgument(M, "bytes", C.Bytes))
    return false;
  if (M.get("value") && !readChoice<CallModel::ValueKind>(M, "value",
                                                          {{"maximum", CallModel::Maximum},
                                                           {"minimum", CallModel::Minimum},
                                                           {"argument", CallModel::Argument},
                                                           {"number", CallModel::Number}},
                                                          "expected maximum, minimum, argument or number", C.Value))
    return false;
  if (M.get("makes") &&
      !readChoice<Making>(M, "makes", {{"object", Making::Object}, {"shared object", Making::SharedObject}},
                          "expected object or shared object", C.Makes))
    return false;
  const int Taken = C.Value == CallModel::Maximum || C.Value == CallModel::Minimum ? 2
                    : C.Value == CallModel::Argument                               ? 1
                                                                                   : C.Arguments;
  if (Taken != C.Arguments || std::max(C.Fills, C.Bytes) >= (C.Arguments < 0 ? 0 : C.Arguments)) {
    P.report("'arguments' is 2 for a maximum, 1 for an argument, and above 'fills' and 'bytes'");
    return false;
  }
  if (!M.noOthers())
    return false;
  for (const std::string &Name : Names)
    Calls.try_emplace(Name, C);
  return true;
}

} // namespace memshape
