// A prediction from one run on zeros.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/formulas/FormulaSearch.h"
#include "libmemshape/prediction/Bounds.h"
#include "libmemshape/prediction/Methods.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/text/Split.h"

#include <algorithm>
#include <set>

namespace memshape {

using std::chrono::milliseconds;

/// For a formula beside figures that are known already.
constexpr milliseconds FormulaBudget{2000};
/// For one shape while a formula is sought in place of figures.
constexpr milliseconds SampleTimeout{2000};

static void noteCalls(const Skeleton &S, const Footprint &Heap, std::vector<Note> &Notes) {
  std::set<std::string> Names;
  for (std::uint32_t Id : Heap.UnknownMet)
    if (Id < S.Unknown.size())
      Names.insert(S.Unknown[Id].Symbol + " (" + sentence(S.Unknown[Id]) + ")");
  if (!Names.empty())
    Notes.push_back({NoteCode::left_out, "not executed, or in vain: " + joined(Names)});
}

static std::string whyNoLaw(const Skeleton &S, const Approach &Smaller) {
  if (!Smaller.Reached)
    return "at none on the way to it does it end";
  if (Smaller.Contradictory)
    return "laws of smaller shapes contradict each other, up to " + shapeText(S, *Smaller.Reached);
  return "smaller shapes, up to " + shapeText(S, *Smaller.Reached) + ", show no law";
}

Result<Prediction> predictByReplay(const Skeleton &S, const Question &Asked, const RunnerOptions &Options,
                                   const std::string &Why, bool WithFormulas, std::uint32_t &Building) {
  SkeletonSession Session(S, Options);
  if (std::optional<Failure> Wrong = Session.start())
    return *Wrong;
  Prediction P;
  P.Operator = &S;
  P.Asked = Asked;
  P.Asked.Branches.clear();
  P.Asked.Values.clear();
  const milliseconds Half = std::chrono::duration_cast<milliseconds>(Options.Limit) / 2;
  Session.setTimeouts(Half, Half);
  Result<Footprint> Heap = Session.evaluate(P.Asked);
  if (Heap && Heap->Building && Heap->Outcome != Footprint::Status::Limit) {
    Building = Heap->Building;
    return notBuilt(S, Asked, *Heap);
  }
  if (Heap && Heap->Outcome == Footprint::Status::Throws)
    return Failure{"it " + endingOf(S) + " at " + shapeText(S, Asked.Shape) +
                   (Heap->Message.empty() ? "" : ": " + Heap->Message)};
  if (Heap && Heap->Outcome == Footprint::Status::Ok) {
    P.Heap = std::move(*Heap);
    Session.setTimeouts(FormulaBudget, FormulaBudget);
    if (WithFormulas)
      P.Formulas = searchFormulas(S, P.Asked, Session, FormulaBudget, &P.Heap, {});
    P.Notes.push_back(
        {NoteCode::replayed, "replayed: the operator itself was run on zeros, so other data may need more or less"});
  } else {
    std::string Trouble = Heap ? Heap->Message : Heap.failure().Message;
    const milliseconds Rest = Half - std::min(Half, FormulaBudget);
    Session.setTimeouts(SampleTimeout, Rest);
    Approach Smaller = formulasToward(S, P.Asked, Session, Rest);
    P.Formulas = std::move(Smaller.Formulas);
    std::optional<Footprint> Figures = Smaller.Contradictory ? std::nullopt : extrapolated(P.Formulas, Asked.Shape);
    if (!Figures)
      return Failure{Trouble + ", and " + whyNoLaw(S, Smaller)};
    // What else there is to say is what the largest of them has said.
    Question Largest = P.Asked;
    Largest.Shape = *Smaller.Reached;
    Session.setTimeouts(SampleTimeout, SampleTimeout);
    Result<Footprint> There = Session.evaluate(Largest);
    if (There && There->Outcome == Footprint::Status::Ok) {
      Figures->UnknownMet = There->UnknownMet;
      Figures->ThreadStarted = There->ThreadStarted;
      Figures->Machine = There->Machine;
      Figures->Environment = There->Environment;
    }
    P.Heap = std::move(*Figures);
    P.Extrapolated = true;
    P.Formulas.HoldsAtShape = true;
    P.Notes.push_back(
        {NoteCode::extrapolated,
         "replayed at smaller shapes and extrapolated: the operator itself was run on zeros, up to " +
             shapeText(S, *Smaller.Reached) +
             ", so other data, and what it does at larger shapes only, may need more or less; at this shape " +
             Trouble});
  }
  P.Notes.push_back({NoteCode::no_skeleton, "no skeleton answers here: " + Why});
  if (P.Heap.ThreadStarted)
    P.Notes.push_back(note(NoteCode::library_threads));
  noteCalls(S, P.Heap, P.Notes);
  noteInitialFunctions(S, P.Notes);
  P.Notes.insert(P.Notes.end(), S.Notes.begin(), S.Notes.end());
  return P;
}

} // namespace memshape
