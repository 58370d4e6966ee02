//===- SummaryTable.cpp - Summaries by name -------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "libraries/SummaryTable.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Demangle/Demangle.h"
#include <cstdlib>

using namespace llvm;

namespace memshape {

namespace {

/// The members of a JSON object. A member that nobody asks for is an error: a typing error shall not look like a rule.
class Members {
  const json::Object *Fields;
  json::Path P;
  SmallVector<StringRef, 12> Known;

public:
  Members(const json::Value &V, json::Path Where) : Fields(V.getAsObject()), P(Where) {
    if (!Fields)
      P.report("expected an object");
  }
  explicit operator bool() const { return Fields; }

  template <class T> bool optional(StringLiteral Name, T &Out) {
    Known.push_back(Name);
    const json::Value *V = Fields->get(Name);
    return !V || fromJSON(*V, Out, P.field(Name));
  }
  const json::Value *get(StringLiteral Name) {
    Known.push_back(Name);
    return Fields->get(Name);
  }
  json::Path at(StringLiteral Name) const { return P.field(Name); }
  bool noOthers() {
    for (const auto &[Name, V] : *Fields)
      if (!is_contained(Known, StringRef(Name))) {
        P.field(Name).report("unknown member");
        return false;
      }
    return true;
  }
};

} // namespace

/// Out becomes what the word in member Name stands for. Message: what it has to be.
template <class T>
static bool readChoice(Members &M, StringLiteral Name, ArrayRef<std::pair<StringLiteral, T>> Choices,
                       StringLiteral Message, T &Out) {
  const json::Value *V = M.get(Name);
  const std::optional<StringRef> Word = V ? V->getAsString() : std::nullopt;
  for (const auto &[Text, Meaning] : Choices)
    if (Word == Text) {
      Out = Meaning;
      return true;
    }
  M.at(Name).report(Message);
  return false;
}

static bool readNumbers(Members &M, StringLiteral Name, uint64_t &Mask) {
  const json::Value *V = M.get(Name);
  if (!V)
    return true;
  std::vector<int64_t> Numbers;
  if (!fromJSON(*V, Numbers, M.at(Name)))
    return false;
  Mask = 0;
  for (auto [I, N] : enumerate(Numbers)) {
    if (N < 0 || N > 63) {
      M.at(Name).index(I).report("an argument's number is 0 to 63");
      return false;
    }
    Mask |= 1ull << N;
  }
  return true;
}

/// The number of an argument; Out stays where the member is not there.
static bool readArgument(Members &M, StringLiteral Name, int &Out) {
  const json::Value *V = M.get(Name);
  if (!V)
    return true;
  const std::optional<int64_t> Given = V->getAsInteger();
  if (!Given || *Given < 0 || *Given > 63) {
    M.at(Name).report("an argument's number is 0 to 63");
    return false;
  }
  Out = int(*Given);
  return true;
}

/// Calls F with each of the elements of array Name.
template <class Function> static bool readEach(Members &M, StringLiteral Name, Function F) {
  const json::Value *V = M.get(Name);
  if (!V)
    return true;
  const json::Array *Elements = V->getAsArray();
  if (!Elements) {
    M.at(Name).report("expected an array");
    return false;
  }
  for (auto [I, Element] : enumerate(*Elements))
    if (!F(Element, M.at(Name).index(I)))
      return false;
  return true;
}

/// [abc] and {ab,c} written out; * and ? stay.
static void expand(StringRef Rest, std::string Done, SmallVectorImpl<std::string> &Out) {
  size_t Open = Rest.find_first_of("[{");
  size_t Close = Open == StringRef::npos ? Open : Rest.find(Rest[Open] == '[' ? ']' : '}', Open);
  if (Close == StringRef::npos) {
    Out.push_back(Done + Rest.str());
    return;
  }
  Done += Rest.take_front(Open);
  StringRef Choices = Rest.slice(Open + 1, Close), After = Rest.drop_front(Close + 1);
  if (Rest[Open] == '[') {
    for (char C : Choices)
      expand(After, Done + C, Out);
    return;
  }
  SmallVector<StringRef, 4> Words;
  Choices.split(Words, ',');
  for (StringRef Word : Words)
    expand(After, Done + Word.str(), Out);
}

bool SummaryTable::addName(StringRef Name, ArrayRef<std::string> Prefixes, const Summary *S, json::Path P) {
  SmallVector<std::string, 8> Names;
  expand(Name, "", Names);
  for (const std::string &Prefix : Prefixes)
    expand(Name, Prefix, Names);
  for (const std::string &Each : Names) {
    bool IsQualified = StringRef(Each).contains("::");
    if (StringRef(Each).find_first_of("*?") == StringRef::npos) {
      (IsQualified ? Qualified : Symbols).try_emplace(Each, S);
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

bool SummaryTable::readNames(const json::Value *V, json::Path P, ArrayRef<std::string> &Out) {
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

bool SummaryTable::readFunction(const json::Value &V, const OfLibrary &Library, json::Path P) {
  Members M(V, P);
  std::vector<std::string> Names;
  std::string LinkType, Builds, Description;
  if (!M || !M.optional("names", Names))
    return false;
  if (Names.empty()) {
    P.field("names").report("expected names of functions");
    return false;
  }
  Summary S;
  if (!readChoice<Treatment>(M, "treatment",
                             {{"compute", Treatment::Compute},
                              {"inspect", Treatment::Inspect},
                              {"adjust", Treatment::Adjust},
                              {"called", Treatment::Perform},
                              {"repeat", Treatment::Repeat},
                              {"ask", Treatment::Ask},
                              {"pure", Treatment::Skip},
                              {"forbidden", Treatment::Forbidden}},
                             "expected pure, called, forbidden, compute, inspect, adjust, repeat or ask", S.How) ||
      !M.optional("outward", S.Outward) || !M.optional("float_environment", S.SetsFloatEnvironment))
    return false;
  bool Executed = S.How != Treatment::Skip && S.How != Treatment::Forbidden;
  S.Libraries = Executed ? Library.Sonames : ArrayRef<std::string>();
  S.ExtentTypes = Library.ExtentTypes;
  S.FollowsPointers = S.How == Treatment::Perform || S.How == Treatment::Repeat;
  S.ReadArguments = S.How == Treatment::Skip ? 0 : ~0ull;
  int64_t LinkBytes = 0, Bytes = 0;
  bool Proven = true;
  if (!M.optional("follows_pointers", S.FollowsPointers) || !M.optional("link_bytes", LinkBytes) ||
      !M.optional("link_type", LinkType) || !M.optional("builds", Builds) ||
      !readNumbers(M, "reads", S.ReadArguments) || !readNumbers(M, "writes", S.WrittenArguments) ||
      !M.optional("proven", Proven) || !M.optional("bytes", Bytes) || !readArgument(M, "length", S.Length) ||
      !readArgument(M, "length_behind", S.LengthBehind) || !readArgument(M, "place_behind", S.PlaceBehind) ||
      !readArgument(M, "at_most", S.AtMost) || !readNames(M.get("unless"), M.at("unless"), S.Unless) ||
      !readNames(M.get("outside"), M.at("outside"), S.Outside) || !M.optional("description", Description))
    return false;
  S.Bytes = unsigned(Bytes);
  if (!Description.empty() && S.How != Treatment::Repeat) {
    P.field("description").report("belongs to a function that is repeated");
    return false;
  }
  if (!Description.empty())
    S.Description = PatternTexts.emplace_back(Description);
  S.LinkBytes = unsigned(LinkBytes);
  if (!LinkType.empty())
    S.LinkType = PatternTexts.emplace_back(LinkType);
  if (!Builds.empty())
    S.Builds = PatternTexts.emplace_back(Builds);
  S.Unproven = !Proven && S.How == Treatment::Perform;
  if (M.get("contents") &&
      !readChoice<bool>(M, "contents", {{"data", true}, {"real", false}}, "expected data or real", S.OnlyHeadersMatter))
    return false;
  const bool NamesReads = M.get("reads"), NamesWrites = M.get("writes");
  if (S.OnlyHeadersMatter && NamesReads)
    S.ExtentArguments = NamesWrites ? S.ReadArguments & ~S.WrittenArguments : S.ReadArguments;
  enum { Data, Shape, Fresh, First, State } Result = S.OnlyHeadersMatter ? Data : Shape;
  if (M.get("result") &&
      !readChoice<decltype(Result)>(
          M, "result", {{"data", Data}, {"shape", Shape}, {"fresh", Fresh}, {"first", First}, {"state", State}},
          "expected data, shape, fresh, first or state", Result))
    return false;
  S.ResultIsData = Result == Data;
  S.ResultIsFresh = Result == Fresh;
  S.ResultIsFirst = Result == First;
  S.ResultIsState = Result == State;
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
  if (!readMost(M, S))
    return false;
  if (const json::Value *H = M.get("holders")) {
    Members Parts(*H, M.at("holders"));
    int64_t Extent = 0, Pointer = 0, Small = 0;
    if (!Parts || !Parts.optional("bytes", Extent) || !Parts.optional("pointer", Pointer) ||
        !Parts.optional("small", Small) || !Parts.noOthers())
      return false;
    if (Extent <= 0 || Pointer < 0 || Small < 0 || std::max(Pointer, Small) >= Extent) {
      M.at("holders").report("needs its bytes, and offsets below that");
      return false;
    }
    S.Holder = BufferHolder{unsigned(Extent), unsigned(Pointer), unsigned(Small)};
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
  if (!M.noOthers())
    return false;
  const Summary *Kept = &Summaries.emplace_back(S);
  for (auto [I, Name] : enumerate(Names))
    if (!addName(Name, Library.Prefixes, Kept, P.field("names").index(I)))
      return false;
  return true;
}

bool SummaryTable::readClass(const json::Value &V, json::Path P) {
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

bool SummaryTable::readAllocator(const json::Value &V, json::Path P) {
  Members M(V, P);
  DeclaredAllocator A;
  std::vector<std::string> Names;
  if (!M || !M.optional("names", Names) || !M.optional("zeroed", A.Zeroed) ||
      !readChoice<AllocationKind>(M, "kind",
                                  {{"allocate", AllocationKind::Allocate},
                                   {"store", AllocationKind::Store},
                                   {"reallocate", AllocationKind::Reallocate},
                                   {"release", AllocationKind::Release}},
                                  "expected allocate, store, reallocate or release", A.Kind))
    return false;
  if (!readArgument(M, "size", A.Size) || !readArgument(M, "count", A.Count) ||
      !readArgument(M, "alignment", A.Alignment) || !readArgument(M, "block", A.Block))
    return false;
  if (M.get("space") &&
      !readChoice<Space>(
          M, "space",
          {{"host", Space::Host}, {"device", Space::Device}, {"pinned", Space::Pinned}, {"managed", Space::Managed}},
          "expected host, device, pinned or managed", A.In))
    return false;
  if (!M.noOthers())
    return false;
  bool Sized = A.Kind != AllocationKind::Release;
  bool OfBlock = A.Kind == AllocationKind::Release || A.Kind == AllocationKind::Reallocate;
  if (Sized != (A.Size >= 0) || OfBlock != (A.Block >= 0)) {
    P.report("what allocates has a 'size', what frees a 'block', what reallocates both");
    return false;
  }
  if (Names.empty()) {
    P.field("names").report("expected names of functions");
    return false;
  }
  for (const std::string &Pattern : Names) {
    SmallVector<std::string, 8> Each;
    expand(Pattern, "", Each);
    for (const std::string &Name : Each) {
      A.Label = demangle(Name);
      Allocators[Name] = A;
    }
  }
  return true;
}

bool SummaryTable::readLibrary(const json::Value &V, json::Path P) {
  Members M(V, P);
  std::string Name, Note;
  OfLibrary Common;
  return M && M.optional("name", Name) && M.optional("note", Note) &&
         readNames(M.get("sonames"), M.at("sonames"), Common.Sonames) &&
         readNames(M.get("prefixes"), M.at("prefixes"), Common.Prefixes) &&
         readNames(M.get("extents"), M.at("extents"), Common.ExtentTypes) &&
         readEach(M, "classes", [&](const json::Value &C, json::Path At) { return readClass(C, At); }) &&
         readEach(M, "allocators", [&](const json::Value &A, json::Path At) { return readAllocator(A, At); }) &&
         readEach(M, "functions", [&](const json::Value &F, json::Path At) { return readFunction(F, Common, At); }) &&
         M.noOthers();
}

bool SummaryTable::read(StringRef Document, std::string &Problem) {
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
  if (Valid && Schema != "memshape.summaries/1") {
    P.field("schema").report("expected memshape.summaries/1");
    Valid = false;
  }
  Valid = Valid && readEach(M, "libraries", [&](const json::Value &L, json::Path At) { return readLibrary(L, At); }) &&
          M.noOthers();
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

const Summary *SummaryTable::find(StringRef Symbol, bool Conditional) const {
  auto Fits = [Conditional](const Summary &S) { return Conditional || S.Unless.empty(); };
  if (auto At = Symbols.find(Symbol); At != Symbols.end() && Fits(*At->second))
    return At->second;
  std::string Name = qualifiedName(Symbol);
  if (!Name.empty()) {
    if (auto At = Qualified.find(Name); At != Qualified.end() && Fits(*At->second))
      return At->second;
    for (const auto &[Pattern, S] : QualifiedPatterns)
      if (Fits(*S) && Pattern.match(Name))
        return S;
  }
  for (const auto &[Pattern, S] : SymbolPatterns)
    if (Fits(*S) && Pattern.match(Symbol))
      return S;
  return nullptr;
}

const DeclaredAllocator *SummaryTable::findAllocator(StringRef Symbol) const {
  auto At = Allocators.find(Symbol);
  return At == Allocators.end() ? nullptr : &At->second;
}

bool SummaryTable::isOutside(StringRef Variable) const {
  return any_of(Summaries, [&](const Summary &S) { return is_contained(S.Outside, Variable); });
}

const ClassLayout *SummaryTable::findClass(StringRef Type) const {
  for (const ClassLayout &C : Classes)
    if (Type == C.Type)
      return &C;
  return nullptr;
}

} // namespace memshape
