// Summaries of functions of a document.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libraries/reader/LibraryTable.h"
#include "libraries/reader/Members.h"

using namespace llvm;

namespace memshape {

bool LibraryTable::addName(StringRef Name, ArrayRef<std::string> Prefixes, const Summary *S, json::Path P) {
  SmallVector<std::string, 8> Names;
  expand(Name, "", Names);
  for (const std::string &Prefix : Prefixes)
    expand(Name, Prefix, Names);
  for (const std::string &Each : Names) {
    bool IsQualified = StringRef(Each).contains("::");
    if (StringRef(Each).find_first_of("*?") == StringRef::npos) {
      (IsQualified ? Qualified : Symbols)[Each].push_back(S);
      continue;
    }
    Expected<GlobPattern> Pattern = GlobPattern::create(PatternTexts.emplace_back(Each));
    if (!Pattern) {
      consumeError(Pattern.takeError());
      P.report("not a pattern");
      return false;
    }
    (IsQualified ? QualifiedPatterns : SymbolPatterns).emplace_back(std::move(*Pattern), S);
  }
  return true;
}

/// Of which formats the rule speaks.
static bool readFormat(Members &M, Summary &S) {
  const json::Value *V = M.get("format");
  if (!V)
    return true;
  Members Parts(*V, M.at("format"));
  FormatRule Rule{0, false, 0};
  int Argument = -1;
  int64_t Most = 0;
  if (!Parts || !readArgument(Parts, "argument", Argument) || !Parts.optional("scans", Rule.Scans) ||
      !Parts.optional("most", Most) || !readArgument(Parts, "text", Rule.Text) || !Parts.noOthers())
    return false;
  if (Argument < 0 || Most <= 0 || (Rule.Text >= 0 && !Rule.Scans)) {
    M.at("format").report("needs the number of an argument and 'most' above 0; 'text' is what is scanned");
    return false;
  }
  Rule.Argument = unsigned(Argument);
  Rule.Most = uint64_t(Most);
  S.Format = Rule;
  return true;
}

/// What is requested and returned at most.
static bool readMost(Members &M, Summary &S) {
  if (const json::Value *V = M.get("requests")) {
    Members Parts(*V, M.at("requests"));
    MostRequested Most;
    int64_t Bytes = 0;
    if (!Parts || !Parts.optional("bytes", Bytes) || !readArgument(Parts, "text", Most.Text) ||
        !readArgument(Parts, "number", Most.Number) || !Parts.optional("thrown", Most.Thrown) || !Parts.noOthers())
      return false;
    Most.Bytes = uint64_t(std::max<int64_t>(Bytes, 0));
    S.Requests = Most;
  }
  if (const json::Value *V = M.get("returns")) {
    Members Parts(*V, M.at("returns"));
    MostReturned Most;
    int64_t Percent = 100, Plus = 0;
    if (!Parts || !readNumbers(Parts, "sum", Most.Arguments) || !Parts.optional("percent", Percent) ||
        !Parts.optional("plus", Plus) || !readArgument(Parts, "while_one", Most.WhileOne) || !Parts.noOthers())
      return false;
    Most.Percent = unsigned(Percent);
    Most.Plus = unsigned(Plus);
    S.Returns = Most;
  }
  return true;
}

/// Which memory the function reads and writes.
bool LibraryTable::readMemory(Members &M, Summary &S) {
  S.FollowsPointers = S.How == Treatment::Perform || S.How == Treatment::Repeat;
  S.ReadArguments = S.How == Treatment::Skip ? 0 : ~0ull;
  std::string LinkType;
  if (!M.optional("follows_pointers", S.FollowsPointers) || !readSize(M, "link_bytes", S.LinkBytes) ||
      !M.optional("link_type", LinkType) || !readNumbers(M, "reads", S.ReadArguments) ||
      !readNumbers(M, "writes", S.WrittenArguments) || !readNumbers(M, "keeps", S.KeptArguments) ||
      !readSize(M, "bytes", S.Bytes) || !readArgument(M, "length", S.Length) ||
      !readArgument(M, "length_behind", S.LengthBehind) || !readArgument(M, "place_behind", S.PlaceBehind) ||
      !readArgument(M, "at_most", S.AtMost) || !readNames(M.get("unless"), M.at("unless"), S.Unless) ||
      !readNames(M.get("outside"), M.at("outside"), S.Outside))
    return false;
  if (!LinkType.empty())
    S.LinkType = PatternTexts.emplace_back(LinkType);
  if (M.get("contents") &&
      !readChoice<bool>(M, "contents", {{"data", true}, {"real", false}}, "expected data or real", S.OnlyHeadersMatter))
    return false;
  const bool NamesReads = M.get("reads"), NamesWrites = M.get("writes");
  if (S.OnlyHeadersMatter && NamesReads)
    S.ExtentArguments = NamesWrites ? S.ReadArguments & ~S.WrittenArguments : S.ReadArguments;
  return true;
}

/// What the function returns, and leaves behind its arguments.
static bool readResult(Members &M, Summary &S) {
  enum { Data, Shape, Fresh, First, State, Success, Sign } Result = S.OnlyHeadersMatter ? Data : Shape;
  if (M.get("result") &&
      !readChoice<decltype(Result)>(M, "result",
                                    {{"data", Data},
                                     {"shape", Shape},
                                     {"fresh", Fresh},
                                     {"first", First},
                                     {"state", State},
                                     {"success", Success},
                                     {"sign", Sign}},
                                    "expected data, shape, fresh, first, state, success or sign", Result))
    return false;
  S.ResultIsData = Result == Data;
  S.ResultIsFresh = Result == Fresh;
  S.ResultIsFirst = Result == First;
  S.ResultIsState = Result == State;
  S.ResultIsSuccess = Result == Success;
  S.ResultIsSign = Result == Sign;
  if (const json::Value *Pair = M.get("leaves")) {
    std::vector<int64_t> Arguments;
    if (!fromJSON(*Pair, Arguments, M.at("leaves")))
      return false;
    if (Arguments.size() != 2 || any_of(Arguments, [](int64_t A) { return A < 0 || A > 63; })) {
      M.at("leaves").report("expected the numbers of two arguments");
      return false;
    }
    S.Leaves = int(Arguments[0]);
    S.LeavesInto = int(Arguments[1]);
  }

  if (const json::Value *Where = M.get("status")) {
    std::optional<int64_t> Argument = Where->getAsInteger();
    if (Where->getAsString() == StringRef("result"))
      S.Status = Summary::InResult;
    else if (Argument && *Argument >= 0 && *Argument < 64)
      S.Status = int(*Argument);
    else
      return M.at("status").report("expected an argument's number or \"result\""), false;
  }
  return true;
}

static bool readHolder(Members &M, Summary &S) {
  if (const json::Value *H = M.get("holders")) {
    Members Parts(*H, M.at("holders"));
    int64_t Extent = 0, Pointer = 0, Small = 0;
    bool Decide = true;
    if (!Parts || !Parts.optional("bytes", Extent) || !Parts.optional("pointer", Pointer) ||
        !Parts.optional("small", Small) || !Parts.optional("contents_decide", Decide) || !Parts.noOthers())
      return false;
    if (Extent <= 0 || Pointer < 0 || Small < 0 || std::max(Pointer, Small) >= Extent) {
      M.at("holders").report("needs its bytes, and offsets below that");
      return false;
    }
    S.Holder = BufferHolder{unsigned(Extent), unsigned(Pointer), unsigned(Small), Decide};
  }
  return true;
}

/// How the function is executed, where it is.
bool LibraryTable::readExecution(Members &M, const OfLibrary &Library, Summary &S) {
  const bool Executed = S.How != Treatment::Skip && S.How != Treatment::Forbidden;
  S.Libraries = Executed ? Library.Sonames : ArrayRef<std::string>();
  std::string Builds, Description;
  bool Proven = true;
  if (!M.optional("builds", Builds) || !M.optional("proven", Proven) || !M.optional("description", Description) ||
      !M.optional("outward", S.Outward) || !M.optional("float_environment", S.SetsFloatEnvironment) ||
      !M.optional("locks", S.Locks) || !M.optional("rounds", S.Rounds))
    return false;
  if (!Description.empty() && S.How != Treatment::Repeat) {
    M.at("description").report("belongs to a function that is repeated");
    return false;
  }
  if (!Description.empty())
    S.Description = PatternTexts.emplace_back(Description);
  if (!Builds.empty())
    S.Builds = PatternTexts.emplace_back(Builds);
  S.Unproven = !Proven && S.How == Treatment::Perform;
  if (const json::Value *Facts = M.get("facts"); Facts && !fromJSON(*Facts, FactLists.emplace_back(), M.at("facts")))
    return false;
  else if (Facts)
    S.Facts = FactLists.back();
  if (const json::Value *Q = M.get("query")) {
    Members Parts(*Q, M.at("query"));
    int64_t Argument = -1;
    WorkspaceQuery Query{0, 0, 0};
    if (!Parts || !Parts.optional("argument", Argument) || !readNumbers(Parts, "reads", Query.Reads) ||
        !readNumbers(Parts, "writes", Query.Writes) || !Parts.noOthers())
      return false;
    if (Argument < 0 || Argument > 63 || S.How != Treatment::Skip) {
      M.at("query").report("belongs to a pure function and needs the number of an argument");
      return false;
    }
    Query.Argument = unsigned(Argument);
    S.Query = Query;
    S.Libraries = Library.Sonames;
  }
  if (const json::Value *D = M.get("determined")) {
    Members Parts(*D, M.at("determined"));
    int64_t Argument = -1, Bits = 0;
    std::string Otherwise;
    if (!Parts || !Parts.optional("argument", Argument) || !Parts.optional("bits", Bits) ||
        !Parts.optional("otherwise", Otherwise) || !Parts.noOthers())
      return false;
    if (Argument < 0 || Argument > 63 || Bits <= 0 || Otherwise.empty() || !Executed) {
      M.at("determined")
          .report("belongs to a function that is executed; needs the number of an argument, bits above 0, "
                  "and what decides otherwise");
      return false;
    }
    S.Determined = PlannerFlags{unsigned(Argument), uint64_t(Bits), PatternTexts.emplace_back(Otherwise)};
  }
  return true;
}

bool LibraryTable::readFunction(const json::Value &V, const OfLibrary &Library, json::Path P) {
  Members M(V, P);
  std::vector<std::string> Names;
  if (!M || !M.optional("names", Names))
    return false;
  if (Names.empty()) {
    P.field("names").report("expected names of functions");
    return false;
  }
  Summary S;
  S.ExtentTypes = Library.ExtentTypes;
  if (!readChoice<Treatment>(M, "treatment",
                             {{"compute", Treatment::Compute},
                              {"inspect", Treatment::Inspect},
                              {"adjust", Treatment::Adjust},
                              {"called", Treatment::Perform},
                              {"repeat", Treatment::Repeat},
                              {"ask", Treatment::Ask},
                              {"pure", Treatment::Skip},
                              {"forbidden", Treatment::Forbidden},
                              {"unknown", Treatment::Unknown}},
                             "expected pure, called, forbidden, unknown, compute, inspect, adjust, repeat or ask",
                             S.How) ||
      !readFormat(M, S) || !readMemory(M, S) || !readExecution(M, Library, S) || !readResult(M, S) || !readMost(M, S) ||
      !readHolder(M, S) || !M.noOthers())
    return false;
  const Summary *Kept = &Summaries.emplace_back(S);
  for (auto [I, Name] : enumerate(Names))
    if (!addName(Name, Library.Prefixes, Kept, P.field("names").index(I)))
      return false;
  return true;
}

} // namespace memshape
