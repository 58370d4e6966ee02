// What is counted where no run tells it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Ceiling.h"
#include "libmemshape/prediction/ReplayedPrediction.h"
#include "libmemshape/skeletons/SlicerProcess.h"

#include <algorithm>

namespace memshape {

/// One block is allocated.
static constexpr std::chrono::seconds Timeout{2};

/// Arithmetic that leaves 62 bits stands for no end.
static constexpr std::uint64_t MostBytes = std::uint64_t(1) << 62;

/// The bytes of a pointer are simple in the shape.
static constexpr std::chrono::milliseconds ReachFormulaBudget{100};

/// A skeleton of counted blocks, and what it says at a shape.
struct CountedBlocks {
  Skeleton Of;
  Footprint At;
  FormulaSet Formulas; ///< where they were asked for
};

/// What the slicer counts of Op at P's shape, whatever data is; with formulas where Kind is Reach and Around wants some.
static Result<CountedBlocks> countBlocks(const WholeOperator &Op, const Surroundings &Around, SkeletonKind Kind,
                                         const Prediction &P) {
  Result<Skeleton> Made = sliceNow({Around.Slicer, Around.Trust, CacheFolder::ofUser()}, Op.Heads, Op.Units,
                                   Op.Source.Symbol, Kind, Around.Summaries, Around.Deadline);
  if (!Made)
    return Failure{"no upper bound could be counted: " + Made.failure().Message};
  if (!Made->Available)
    return Failure{"counted without looking at data there is no upper bound either: " + Made->Reason};
  CountedBlocks Out;
  Out.Of = std::move(*Made);
  RunnerOptions Options = runnerOptions(Out.Of, Around.Files, Around.Libraries, Around.Runner);
  Options.Machine = Around.Machine;
  Options.Trust = Around.Trust;
  Options.Limit = Timeout;
  SkeletonSession Session(Out.Of, Options);
  if (std::optional<Failure> Wrong = Session.start())
    return *Wrong;
  Question Asked = P.Asked;
  Asked.Branches.clear();
  Asked.Values.clear();
  Asked.Refused.clear();
  Asked.Steps = 0;
  Result<Footprint> At = Session.evaluate(Asked);
  if (!At)
    return At.failure();
  Out.At = std::move(*At);
  if (Kind == SkeletonKind::Reach && Around.Formulas && Out.At.Outcome == Footprint::Status::Ok)
    Out.Formulas = searchFormulas(Out.Of, Asked, Session, ReachFormulaBudget, &Out.At, FormulaCache::ofUser());
  return Out;
}

/// The bytes that Op takes at most at P's shape; nothing where the slicer finds no end, with the reason in P's notes.
static std::optional<std::uint64_t> counted(const WholeOperator &Op, const Surroundings &Around, Prediction &P) {
  if (Op.Units.empty() || !Op.Complete || P.Extrapolated)
    return std::nullopt;
  const Result<CountedBlocks> Most = countBlocks(Op, Around, SkeletonKind::Ceiling, P);
  // A sum that leaves 63 bits is an end that only this shape has not.
  if (!Most || Most->At.Outcome != Footprint::Status::Ok || Most->At.Peak < P.Heap.Peak) {
    P.Notes.push_back(
        {NoteCode::NoCountedUpper, Most ? "counted without looking at data there is no upper bound either at this shape"
                                        : Most.failure().Message});
    return std::nullopt;
  }
  return Most->At.Peak;
}

/// For the space whose figures P has.
static void addToSpace(const WholeOperator &Op, const Surroundings &Around, Prediction &P) {
  if ((P.Range.Upper && !P.Range.Sampled) || P.Range.Presumed)
    return;
  P.Range.Sampled = false;
  const std::optional<std::uint64_t> Most = counted(Op, Around, P);
  if (!Most) {
    if (P.Range.Upper)
      P.Notes.push_back({NoteCode::SearchCut,
                         "not every run could be followed, so there is no upper bound; the greatest peak that was "
                         "found is " +
                             std::to_string(*P.Range.Upper) + " bytes"});
    P.Range.withoutUpper();
    return;
  }
  P.Range.Upper = std::max(*Most, P.Range.Upper.value_or(0));
  std::erase_if(P.Notes, [](const Note &Each) { return deniesUpper(Each.Code); });
  P.Notes.push_back({NoteCode::CountedUpper,
                     "the upper bound is counted: the greatest size of each block times how many of them there can "
                     "be at a time, whatever data is"});
}

void addReach(const WholeOperator &Op, const Surroundings &Around, Prediction &P) {
  if (Op.Units.empty() || P.Operator->namedTensors().empty())
    return;
  const Result<CountedBlocks> Found = countBlocks(Op, Around, SkeletonKind::Reach, P);
  if (!Found || Found->At.Outcome != Footprint::Status::Ok)
    return;
  for (const auto &[Id, Bytes] : Found->At.SiteBytes) {
    const SkeletonSite &Site = Found->Of.Sites.at(static_cast<std::size_t>(Id));
    if (!Site.isResult() || Bytes > MostBytes)
      continue;
    TensorBytes Each{Site.Allocator, Bytes, {}, {}};
    if (const auto Law = Found->Formulas.Arguments.find(Id); Law != Found->Formulas.Arguments.end()) {
      Each.Formula = Law->second.Value.str(Found->Formulas.Symbols);
      Each.Law = Law->second.Value;
    }
    P.Reach.emplace(Each.Name, std::move(Each));
  }
  for (const auto &[Number, Name] : P.Operator->namedTensors())
    if (const auto Said = P.Asked.Presence.find(Number); Said != P.Asked.Presence.end() && !Said->second)
      P.Reach[Name] = {Name, 0, "0", {}};
}

void addCeiling(const WholeOperator &Op, const Surroundings &Around, Prediction &P) {
  addToSpace(Op, Around, P);
  for (auto &[Space, There] : P.Elsewhere)
    addToSpace(Op, Around, There);
}

} // namespace memshape
