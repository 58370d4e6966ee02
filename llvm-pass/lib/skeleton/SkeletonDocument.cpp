// What is known of a skeleton, as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "operators/Compiler.h"
#include "operators/SourcePlace.h"
#include "skeleton/SkeletonFacts.h"

using namespace llvm;

namespace memshape {

static json::Object placeOf(const SourcePlace &P) {
  return json::Object{
      {"file", P.File}, {"line", int64_t(P.Line)}, {"column", int64_t(P.Column)}, {"function", P.Function}};
}

static json::Array parametersOf(const Operator &Op, const SkeletonFacts &Facts) {
  json::Array Parameters;
  for (const ParameterFact &P : Op.Fact.Parameters) {
    // Of a skeleton, what nobody builds is what nobody reads.
    const bool IsUnread = P.Role == ParameterRole::Object && Facts.Reason.empty();
    json::Object O{{"name", P.Name}, {"role", wordOf(IsUnread ? ParameterRole::Tensor : P.Role)}};
    if (P.Bits && P.Role != ParameterRole::Object)
      O["bits"] = int64_t(P.Bits);
    if (P.Role == ParameterRole::Shape)
      O["signed"] = P.Signed;
    const bool NobodyReads = is_contained(Facts.Unread, P.Name);
    if (NobodyReads)
      O["unread"] = true;
    const auto Left = Facts.Defaults.find(P.Name);
    if (Left != Facts.Defaults.end())
      O["default"] = std::to_string(Left->second);
    else if (!P.Default.empty() || NobodyReads)
      O["default"] = P.Default.empty() ? "0" : P.Default;
    if (is_contained(Facts.OfArguments, P.Name))
      O["optional"] = true;
    Parameters.push_back(std::move(O));
  }
  return Parameters;
}

static json::Array sitesOf(const SkeletonFacts &Facts, SourceLines &Lines) {
  json::Array Sites;
  for (auto [Id, S] : enumerate(Facts.Sites)) {
    const auto Decided = find_if(Facts.Results, [&, &Site = S](const SkeletonResult &R) {
      return R.IsDecided && Site.Space == "results" && R.Symbol == Site.Allocator;
    });
    const bool IsDecided = Decided != Facts.Results.end();
    json::Object O = placeOf(IsDecided ? Decided->Place : S.Place);
    if (IsDecided)
      O["text"] = Decided->Condition;
    O["id"] = int64_t(Id);
    O["space"] = S.Space;
    O["allocator"] = S.Allocator;
    json::Array Chain;
    for (const SourcePlace &P : S.Chain) {
      json::Object Call = placeOf(P);
      if (std::string Text = Lines.at(P); !Text.empty())
        Call["text"] = std::move(Text);
      Chain.push_back(std::move(Call));
    }
    O["chain"] = std::move(Chain);
    if (S.From.Line) {
      json::Object From = placeOf(S.From);
      From["text"] = Lines.at(S.From);
      O["from"] = std::move(From);
    }
    if (!S.Elements.empty())
      O["elements"] = S.Elements;
    if (S.UsesKnown)
      O["unused_after"] = json::Array(S.UnusedAfter);
    if (!S.MovedTo.empty())
      O["moved_to"] = json::Array(S.MovedTo);
    if (!S.CopiedTo.empty())
      O["copied_to"] = json::Array(S.CopiedTo);
    Sites.push_back(std::move(O));
  }
  return Sites;
}

static json::Array decisionsOf(const SkeletonFacts &Facts) {
  json::Array Decisions;
  for (auto [Id, D] : enumerate(Facts.Decisions)) {
    json::Object O = placeOf(D.Place);
    O["id"] = int64_t(Id);
    O["kind"] = D.IsBranch ? "branch" : "value";
    O["condition"] = D.Condition;
    O["effect"] = StringRef(codeOf(D.Effect));
    O["in_loop"] = D.InLoop;
    if (D.Succeeds)
      O["succeeds"] = true;
    if (D.IsBounded)
      O["bounded"] = true;
    O["data"] = placeOf(D.Source);
    if (D.Inside.Line)
      O["inside"] = placeOf(D.Inside);
    if (D.Tensor >= 0) {
      O["tensor"] = int64_t(D.Tensor);
      O["one_is_null"] = D.OneIsNull;
    }
    Decisions.push_back(std::move(O));
  }
  return Decisions;
}

static json::Array unknownsOf(const SkeletonFacts &Facts) {
  json::Array Unknowns;
  for (auto [Id, U] : enumerate(Facts.Unknowns)) {
    json::Object O = placeOf(U.Place);
    O["id"] = int64_t(Id);
    O["symbol"] = U.Symbol;
    O["treatment"] = U.IsCalled ? "called" : "dropped";
    O["reason"] = StringRef(codeOf(U.Reason));
    if (U.RequestsNothing)
      O["requests_nothing"] = true;
    if (U.MayFree)
      O["may_free"] = true;
    if (!U.Text.empty())
      O["text"] = U.Text;
    Unknowns.push_back(std::move(O));
  }
  return Unknowns;
}

/// Functions that variables are taken to hold.
static json::Array initialOf(const SkeletonFacts &Facts) {
  json::Array Initial;
  for (const SkeletonInitial &I : Facts.Initial) {
    json::Object O = placeOf(I.Place);
    O["variable"] = json::fixUTF8(I.Variable);
    O["function"] = json::fixUTF8(I.Function);
    Initial.push_back(std::move(O));
  }
  return Initial;
}

/// Tensors that are taken to be there, each with the place that asks.
static json::Array presencesOf(const SkeletonFacts &Facts) {
  json::Array Presences;
  for (const SkeletonPresence &P : Facts.Presences) {
    json::Object O = placeOf(P.Place);
    O["tensor"] = int64_t(P.Tensor);
    O["name"] = P.Name;
    O["condition"] = P.Condition;
    Presences.push_back(std::move(O));
  }
  return Presences;
}

/// Results that can leave their type on the way to a size.
static json::Array wrapsOf(const SkeletonFacts &Facts) {
  json::Array Wraps;
  for (auto [Id, W] : enumerate(Facts.Wraps)) {
    json::Object O = placeOf(W.Place);
    O["id"] = int64_t(Id);
    O["expression"] = W.Expression;
    O["bits"] = int64_t(W.Bits);
    O["signed"] = W.IsSigned;
    json::Array Sites;
    for (unsigned Site : W.Sites)
      Sites.push_back(int64_t(Site));
    O["sites"] = std::move(Sites);
    Wraps.push_back(std::move(O));
  }
  return Wraps;
}

/// Names like k and k2 that the operator's source uses, where sizes from data could be given such names.
static json::Array takenNames(const Operator &Op, const SkeletonFacts &Facts, SourceLines &Lines) {
  json::Array Taken;
  if (any_of(Facts.Decisions, [](const SkeletonDecision &D) { return !D.IsBranch; })) {
    SourcePlace Own;
    Own.File = Op.Fact.File;
    Own.Line = Op.Fact.Line;
    Own.Directory = compilationFolder(*Op.Function);
    for (std::string &Name : Lines.namesLike(Own, 'k'))
      Taken.push_back(std::move(Name));
  }
  return Taken;
}

json::Object skeletonDocument(const Operator &Op, const SkeletonFacts &Facts) {
  SourceLines Lines;
  json::Array Circumstances;
  if (Facts.Rounds)
    Circumstances.push_back("rounding");
  if (Facts.MakesNumbers)
    Circumstances.push_back("places");
  if (Facts.Interferes)
    Circumstances.push_back("threads");
  return json::Object{{"schema", StringRef(SkeletonSchema)},
                      {"operator", Op.Fact.Name},
                      {"symbol", Op.Fact.Symbol},
                      {"file", Op.Fact.File},
                      {"line", int64_t(Op.Fact.Line)},
                      {"directory", json::fixUTF8(compilationFolder(*Op.Function))},
                      // An allocation that the optimiser removes is not in the footprint, so a comparison needs to
                      // know the compiler.
                      {"compiler", json::fixUTF8(compilerOf(*Op.Function))},
                      {"status", !Facts.Reason.empty() ? "unavailable"
                                 : Facts.Replayed      ? "replayed"
                                                       : "sliced"},
                      {"reason", Facts.Reason},
                      {"parameters", parametersOf(Op, Facts)},
                      {"sites", sitesOf(Facts, Lines)},
                      {"decisions", decisionsOf(Facts)},
                      {"unknown", unknownsOf(Facts)},
                      {"initial", initialOf(Facts)},
                      {"presences", presencesOf(Facts)},
                      {"wraps", wrapsOf(Facts)},
                      {"contracts", json::Array(Op.Fact.Contracts)},
                      {"machine", json::Array(Facts.Machine)},
                      {"libraries", json::Array(Facts.Libraries)},
                      {"circumstances", std::move(Circumstances)},
                      {"beside_data", Facts.BesideData},
                      {"recalled", json::Array(Facts.Recalled)},
                      {"changing", json::Array(Facts.Changing)},
                      {"undefined", json::Array(Facts.Undefined)},
                      {"taken", takenNames(Op, Facts, Lines)},
                      {"notes", json::Array(Facts.Notes)},
                      {"size", json::Object{{"flattened", int64_t(Facts.Flattened)}, {"kept", int64_t(Facts.Kept)}}}};
}

} // namespace memshape
