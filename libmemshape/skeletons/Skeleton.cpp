// A skeleton as a file carries it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/skeletons/Skeleton.h"
#include "libmemshape/text/JsonFields.h"
#include "libmemshape/text/Spelling.h"
#include "libmemshape/text/Split.h"
#include "libmemshape/text/Try.h"
#include "runner/protocol/Request.h"

#include "memshape/OperatorName.h"

#include <algorithm>

namespace memshape {

namespace {

/// More than any operator has, of what a skeleton lists.
constexpr std::size_t MostLibraries = 1024, MostPlaces = std::size_t(1) << 16;

/// Parses the parts; the first thing that is wrong ends up in Wrong.
class Reader {
public:
  std::optional<std::string> Wrong;

  void keep(const JsonFields &Fields, const char *Where) {
    if (Fields.failed() && !Wrong)
      Wrong = std::string(Where) + ": " + *Fields.failed();
  }

  SourcePlace place(JsonFields &Fields) {
    SourcePlace Place;
    Place.File = Fields.string("file");
    Place.Function = Fields.string("function");
    Place.Line = small(Fields.natural("line"));
    Place.Column = small(Fields.natural("column"));
    Place.Text = Fields.string("text");
    return Place;
  }

  Parameter parameter(const nlohmann::json &Element) {
    JsonFields Fields(Element);
    Parameter P;
    P.Name = Fields.string("name");
    P.Bits = small(Fields.natural("bits"));
    P.Signed = Fields.boolean("signed");
    P.Default = Fields.string("default");
    P.Unread = Fields.boolean("unread");
    P.Optional = Fields.boolean("optional");
    std::string Word = Fields.string("role");
    if (Word == "shape")
      P.What = Role::Shape;
    else if (Word == "setting")
      P.What = Role::Setting;
    else if (Word == "tensor")
      P.What = Role::Tensor;
    else if (Word == "function")
      P.What = Role::Function;
    keep(Fields, "parameters");
    // Of one bit with a sign, none is positive: no extent.
    if (P.What == Role::Shape && (P.Bits < (P.Signed ? 2 : 1) || P.Bits > 64) && !Wrong)
      Wrong = "parameters: an integer of " + std::to_string(P.Bits) + " bits";
    return P;
  }

  SkeletonSite site(const nlohmann::json &Element, std::size_t Expected) {
    JsonFields Fields(Element);
    SkeletonSite Site;
    Site.Place = place(Fields);
    Site.Space = Fields.string("space");
    Site.Allocator = Fields.string("allocator");
    for (const nlohmann::json &Call : Fields.array("chain")) {
      JsonFields Frame(Call);
      Site.Chain.push_back(place(Frame));
      keep(Frame, "chain");
    }
    if (const auto From = Element.find("from"); From != Element.end() && From->is_object()) {
      JsonFields Caller(*From);
      Site.From = place(Caller);
      keep(Caller, "from");
    }
    Site.Elements = Fields.string("elements");
    Site.UsesKnown = Element.contains("unused_after");
    for (auto [Name, Into] : {std::pair("unused_after", &Site.UnusedAfter), std::pair("moved_to", &Site.MovedTo),
                              std::pair("copied_to", &Site.CopiedTo)})
      for (const nlohmann::json &Other : list(Fields, Name, MostPlaces))
        Into->push_back(Other.is_number_unsigned() ? small(Other.get<std::uint64_t>()) : 0);
    number(Fields, Expected, "sites");
    return Site;
  }

  SkeletonDecision decision(const nlohmann::json &Element, std::size_t Expected) {
    JsonFields Fields(Element);
    SkeletonDecision Decision;
    Decision.Place = place(Fields);
    if (auto Inside = Element.find("inside"); Inside != Element.end() && Inside->is_object()) {
      JsonFields Library(*Inside);
      Decision.Inside = place(Library);
    }
    Decision.IsValue = Fields.string("kind") == "value";
    Decision.InLoop = Fields.boolean("in_loop");
    Decision.Bounded = Fields.boolean("bounded");
    Decision.Condition = Fields.string("condition");
    if (const std::optional<DecisionEffect> Effect = decisionEffect(Fields.string("effect")))
      Decision.Effect = *Effect;
    else if (!Wrong)
      Wrong = "decisions: an unknown effect";
    Decision.Succeeds = Fields.boolean("succeeds");
    if (Element.contains("tensor"))
      Decision.Tensor = small(Fields.natural("tensor"));
    Decision.OneIsNull = Fields.boolean("one_is_null");
    number(Fields, Expected, "decisions");
    return Decision;
  }

  InitialFunction initial(const nlohmann::json &Element) {
    JsonFields Fields(Element);
    InitialFunction Initial;
    Initial.Variable = Fields.string("variable");
    Initial.Function = Fields.string("function");
    Initial.Place = place(Fields);
    keep(Fields, "initial");
    return Initial;
  }

  TensorPresence presence(const nlohmann::json &Element) {
    JsonFields Fields(Element);
    TensorPresence Presence;
    Presence.Place = place(Fields);
    Presence.Place.Text = Fields.string("condition");
    Presence.Tensor = small(Fields.natural("tensor"));
    Presence.Name = Fields.string("name");
    keep(Fields, "presences");
    return Presence;
  }

  SizeWrap wrap(const nlohmann::json &Element, std::size_t Expected) {
    JsonFields Fields(Element);
    SizeWrap Wrap;
    Wrap.Place = place(Fields);
    Wrap.Place.Text = Fields.string("expression");
    Wrap.Bits = small(Fields.natural("bits"));
    Wrap.Signed = Fields.boolean("signed");
    for (const nlohmann::json &Site : list(Fields, "sites", MostPlaces))
      Wrap.Sites.push_back(Site.is_number_unsigned() ? small(Site.get<std::uint64_t>()) : 0);
    number(Fields, Expected, "wraps");
    return Wrap;
  }

  UnknownCall unknown(const nlohmann::json &Element) {
    JsonFields Fields(Element);
    UnknownCall Call;
    Call.Symbol = Fields.string("symbol");
    Call.Place = place(Fields);
    // Anything but a call that is executed leaves memory out of the account.
    Call.Dropped = Fields.string("treatment") != "called";
    if (const std::optional<CallReason> Reason = callReason(Fields.string("reason")))
      Call.Reason = *Reason;
    else if (!Wrong)
      Wrong = "unknown: an unknown reason";
    Call.RequestsNothing = Fields.boolean("requests_nothing");
    Call.MayFree = Fields.boolean("may_free");
    Call.Text = Fields.string("text");
    keep(Fields, "unknown");
    return Call;
  }

  /// A list whose length decides how long a prediction takes.
  const nlohmann::json &list(JsonFields &Fields, const char *Name, std::size_t Most) {
    const nlohmann::json &List = Fields.array(Name);
    if (List.size() > Most && !Wrong)
      Wrong = std::string(Name) + ": more than " + std::to_string(Most);
    return List;
  }

private:
  static std::uint32_t small(std::uint64_t Value) { return Value > UINT32_MAX ? 0 : static_cast<std::uint32_t>(Value); }

  /// Ids count from 0, so that they index the lists.
  void number(JsonFields &Fields, std::size_t Expected, const char *List) {
    if (Fields.natural("id", Expected) != Expected && !Wrong)
      Wrong = std::string(List) + ": ids do not count from 0";
    keep(Fields, List);
  }
};

std::string quotedList(const std::vector<std::string> &Names) {
  constexpr std::size_t Shown = 12;
  std::string Text;
  for (std::size_t I = 0; I < Names.size() && I < Shown; ++I)
    Text += (I ? ", '" : "'") + Names[I] + "'";
  return Names.size() > Shown ? Text + ", ..." : Text;
}

} // namespace

std::vector<Parameter> Skeleton::parametersOf(Role What) const {
  std::vector<Parameter> Found;
  for (const Parameter &P : Parameters)
    if (P.What == What)
      Found.push_back(P);
  return Found;
}

std::map<std::uint32_t, std::string> Skeleton::namedTensors() const {
  std::map<std::uint32_t, std::string> Names;
  std::uint32_t Number = 0;
  for (const Parameter &P : Parameters) {
    if (P.What == Role::Shape || P.What == Role::Setting)
      continue;
    if (P.What == Role::Tensor && !P.Name.empty())
      Names[Number] = P.Name;
    ++Number;
  }
  return Names;
}

std::vector<std::string> Skeleton::shapeSymbols() const { return mapped(parametersOf(Role::Shape), &Parameter::Name); }

Result<Skeleton> parseSkeleton(std::string_view Payload) {
  MEMSHAPE_TRY(SkeletonPayload Parts, splitSkeleton(Payload));
  Result<nlohmann::json> Document = parseJson(Parts.Json);
  if (!Document)
    return damagedRecord("skeleton", Document.failure().Message);
  JsonFields Fields(*Document);
  std::string Schema = Fields.string("schema");
  if (Schema != SkeletonSchema) {
    if (Schema.starts_with("memshape.skeleton/"))
      return Failure{"was compiled with another version of memshape (" + Schema + "; this one reads " +
                     std::string(SkeletonSchema) + "): compile it again with the plugin of this one"};
    return damagedRecord("skeleton", "it is not a " + std::string(SkeletonSchema));
  }
  Skeleton S;
  Reader Read;
  S.Operator = Fields.string("operator");
  S.Symbol = Fields.string("symbol");
  S.Place = Read.place(Fields);
  S.Directory = Fields.string("directory");
  S.Machine = Fields.strings("machine");
  for (const std::string &Fact : Fields.strings("circumstances")) {
    S.Rounds |= Fact == "rounding";
    S.MakesNumbers |= Fact == "places";
    S.Interferes |= Fact == "threads";
  }
  S.BesideData = Fields.boolean("beside_data");
  S.Recalled = Fields.strings("recalled");
  S.Changing = Fields.strings("changing");
  S.Libraries = Fields.strings("libraries");
  S.Contracts = Fields.strings("contracts");
  for (std::string &Text : Fields.strings("notes"))
    S.Notes.push_back({NoteCode::compilation, std::move(Text)});
  S.Undefined = Fields.strings("undefined");
  S.Taken = Fields.strings("taken");
  S.Replayed = Fields.string("status") == "replayed";
  S.Available = S.Replayed || Fields.string("status") == "sliced";
  S.Reason = Fields.string("reason");
  S.Compiler = Fields.string("compiler");
  S.Level = Fields.string("level");
  std::uint64_t ObjectBytes = Fields.natural("object_bytes");
  (void)Read.list(Fields, "libraries", MostLibraries);
  for (const nlohmann::json &Element : Read.list(Fields, "parameters", request::MaxParameters))
    S.Parameters.push_back(Read.parameter(Element));
  for (const nlohmann::json &Element : Read.list(Fields, "sites", MostPlaces))
    S.Sites.push_back(Read.site(Element, S.Sites.size()));
  for (const nlohmann::json &Element : Read.list(Fields, "decisions", MostPlaces))
    S.Decisions.push_back(Read.decision(Element, S.Decisions.size()));
  for (const nlohmann::json &Element : Read.list(Fields, "unknown", MostPlaces))
    S.Unknown.push_back(Read.unknown(Element));
  for (const nlohmann::json &Element : Read.list(Fields, "initial", MostPlaces))
    S.Initial.push_back(Read.initial(Element));
  for (const nlohmann::json &Element : Read.list(Fields, "presences", MostPlaces))
    S.Presences.push_back(Read.presence(Element));
  for (const nlohmann::json &Element : Read.list(Fields, "wraps", MostPlaces))
    S.Wraps.push_back(Read.wrap(Element, S.Wraps.size()));
  if (auto Size = Document->find("size"); Size != Document->end()) {
    JsonFields Counts(*Size);
    S.Flattened = Counts.natural("flattened");
    S.Kept = Counts.natural("kept");
    Read.keep(Counts, "size");
  }
  Read.keep(Fields, "skeleton");
  if (S.Operator.empty() && !Read.Wrong)
    Read.Wrong = "it names no operator";
  if (Read.Wrong)
    return damagedRecord("skeleton", *Read.Wrong);
  std::string_view Code = Parts.Bitcode;
  if (ObjectBytes > Code.size())
    return damagedRecord("skeleton", "its machine code runs past its end");
  S.Bitcode = std::string(Code.substr(0, Code.size() - ObjectBytes));
  S.Object = std::string(Code.substr(Code.size() - ObjectBytes));
  if (S.Available && S.Bitcode.empty())
    return damagedRecord("skeleton", "'" + S.Operator + "' has no bitcode");
  return S;
}

std::string compiledBy(const Skeleton &S) { return S.Level.empty() ? S.Compiler : S.Compiler + " " + S.Level; }

static std::optional<Failure> addSkeletons(const InstrumentedFile &File, std::vector<Skeleton> &Skeletons) {
  for (const Record &R : File.Records) {
    if (R.Kind != RecordKind::Skeleton)
      continue;
    MEMSHAPE_TRY(Skeleton Parsed, inContext("'" + File.Path + "' ", parseSkeleton(R.Payload)));
    // An inline operator comes once per translation unit.
    bool Known = std::any_of(Skeletons.begin(), Skeletons.end(), [&](const Skeleton &Other) {
      return Other.Symbol == Parsed.Symbol && Other.Operator == Parsed.Operator;
    });
    if (!Known)
      Skeletons.push_back(std::move(Parsed));
  }
  return std::nullopt;
}

Result<std::vector<Skeleton>> skeletonsOf(const InstrumentedFile &File) {
  std::vector<Skeleton> Skeletons;
  MEMSHAPE_CHECK(addSkeletons(File, Skeletons));
  return Skeletons;
}

Result<std::vector<Skeleton>> skeletonsOf(const std::vector<InstrumentedFile> &Files) {
  std::vector<Skeleton> Skeletons;
  for (const InstrumentedFile &File : Files)
    MEMSHAPE_CHECK(addSkeletons(File, Skeletons));
  return Skeletons;
}

std::vector<const Skeleton *> meant(const std::vector<Skeleton> &Skeletons, const std::string &Name) {
  std::vector<const Skeleton *> Found;
  int Best = 0;
  for (const Skeleton &S : Skeletons) {
    const bool IsIt = S.Symbol == Name || S.Operator == Name ||
                      operator_name::withoutSpaces(demangled(S.Symbol)) == operator_name::withoutSpaces(Name);
    const int Fit = IsIt ? 3 : static_cast<int>(fitOf(S.Operator, Name));
    if (Fit > Best)
      Found.clear();
    Best = std::max(Best, Fit);
    if (Fit && Fit == Best)
      Found.push_back(&S);
  }
  return Found;
}

/// What tells S from Others: its name, or with its parameters where another one is called the same.
static std::string nameAlone(const Skeleton &S, const std::vector<const Skeleton *> &Others) {
  const bool Same = std::any_of(Others.begin(), Others.end(),
                                [&](const Skeleton *Other) { return Other != &S && Other->Operator == S.Operator; });
  return Same ? demangled(S.Symbol) : S.Operator;
}

/// What helps who asks for Name where Nearest is the operator that comes closest: it is misspelt, or it is a function that
/// was not made one.
static std::string wayOut(const std::string &Name, const std::string &Nearest) {
  if (editDistance(Name, Nearest) <= std::max<std::size_t>(2, Name.size() / 5))
    return "; did you mean '" + Nearest + "'?";
  return ", nor one of a similar name: what * leaves out, such as constructors, inline functions and those without "
         "sizes, is one if it is compiled with -fplugin-arg-memshape-operator=" +
         Name;
}

Result<const Skeleton *> chooseOperator(const std::vector<Skeleton> &Skeletons, const std::string &Name,
                                        const std::string &Path) {
  const std::vector<std::string> Names = mapped(Skeletons, &Skeleton::Operator);
  if (Skeletons.empty())
    return Failure{"'" + Path +
                   "' has no operator: mark a function with MEMSHAPE_OPERATOR of <memshape/operator.h> or " +
                   "compile with -fplugin-arg-memshape-operator=NAME"};
  if (Name.empty()) {
    if (Skeletons.size() == 1)
      return &Skeletons.front();
    return Failure{"'" + Path + "' has " + std::to_string(Skeletons.size()) +
                   " operators; choose one with --operator: " + quotedList(Names)};
  }
  const std::vector<const Skeleton *> Found = meant(Skeletons, Name);
  if (Found.size() == 1)
    return Found.front();
  if (Found.empty())
    return Failure{"'" + Path + "' has no operator '" + Name + "'" + wayOut(Name, nearestName(Name, Names))};
  return Failure{"operator '" + Name + "' is ambiguous in '" + Path + "'; give one of " +
                 quotedList(mapped(Found, [&](const Skeleton *S) { return nameAlone(*S, Found); }))};
}

} // namespace memshape
