//===- ReplayedPrediction.cpp - A prediction from one run on zeros --------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/prediction/ReplayedPrediction.h"

#include <algorithm>
#include <set>

namespace memshape {

namespace {

using std::chrono::milliseconds;

/// For a formula beside figures that are known already.
constexpr milliseconds FormulaBudget{2000};
/// For one shape while a formula is sought in place of figures.
constexpr milliseconds SamplePatience{2000};

void noteCalls(const Skeleton &S, const Footprint &Heap, std::vector<std::string> &Notes) {
  std::set<std::string> Names;
  for (std::uint32_t Id : Heap.UnknownMet)
    if (Id < S.Unknown.size())
      Names.insert(S.Unknown[Id].Symbol + " (" + S.Unknown[Id].Note + ")");
  std::string Listed;
  for (const std::string &Name : Names)
    Listed += (Listed.empty() ? "" : ", ") + Name;
  if (!Listed.empty())
    Notes.push_back("not executed, or in vain: " + Listed);
}

} // namespace

Result<Prediction> predictByReplay(const Skeleton &S, const Question &Asked, const RunnerOptions &Options,
                                   const std::string &Why) {
  SkeletonSession Session(S, Options);
  if (std::optional<Failure> Wrong = Session.start())
    return *Wrong;
  Prediction P;
  P.Operator = &S;
  P.Asked = Asked;
  P.Asked.Branches.clear();
  P.Asked.Values.clear();
  const milliseconds Half = std::chrono::duration_cast<milliseconds>(Options.Limit) / 2;
  const auto Started = std::chrono::steady_clock::now();
  Session.setPatience(Half, Half);
  Result<Footprint> Heap = Session.evaluate(P.Asked);
  if (Heap && Heap->Outcome == Footprint::Status::Throws)
    return Failure{"it throws or aborts at " + shapeText(S, Asked.Shape) +
                   (Heap->Message.empty() ? "" : ": " + Heap->Message)};
  if (Heap && Heap->Outcome == Footprint::Status::Ok) {
    P.Heap = std::move(*Heap);
    Session.setPatience(FormulaBudget, FormulaBudget);
    P.Formulas = searchFormulas(S, P.Asked, Session, FormulaBudget, &P.Heap, {});
    P.Notes.push_back("replayed: the operator itself was run on zeros, so other data may need more or less");
  } else {
    std::string Trouble = Heap ? Heap->Message : Heap.failure().Message;
    if (std::chrono::steady_clock::now() - Started >= Half)
      Trouble = "it does not end within " +
                std::to_string(std::chrono::duration_cast<std::chrono::seconds>(Half).count()) + " seconds";
    Question Anywhere = P.Asked;
    Anywhere.Shape.clear();
    const milliseconds Rest = Half - std::min(Half, FormulaBudget);
    Session.setPatience(SamplePatience, Rest);
    P.Formulas = searchFormulas(S, Anywhere, Session, Rest, nullptr, {});
    std::optional<Footprint> Figures = extrapolated(P.Formulas, Asked.Shape);
    if (!Figures)
      return Failure{Trouble + ", and smaller shapes show no law"};
    P.Heap = std::move(*Figures);
    P.Extrapolated = true;
    P.Notes.push_back(
        "replayed at smaller shapes and extrapolated: the operator itself was run on zeros, so other data "
        "may need more or less; at this shape " +
        Trouble);
  }
  P.Notes.push_back("no skeleton answers here: " + Why);
  noteCalls(S, P.Heap, P.Notes);
  P.Notes.insert(P.Notes.end(), S.Notes.begin(), S.Notes.end());
  return P;
}

} // namespace memshape
