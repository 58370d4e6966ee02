// An upper bound where no run tells one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Methods.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/skeletons/SlicerProcess.h"

#include <algorithm>

namespace memshape {

/// One block is allocated.
static constexpr std::chrono::seconds Timeout{2};

/// The bytes that Op takes at most at P's shape, whatever data is; nothing where the slicer finds no end, with the
/// reason in P's notes.
static std::optional<std::uint64_t> counted(const WholeOperator &Op, const Surroundings &Around, Prediction &P) {
  if (Op.Units.empty() || !Op.Complete || P.Extrapolated)
    return std::nullopt;
  if (!P.Asked.Space.empty()) {
    P.Notes.push_back({NoteCode::no_counted_upper, "blocks are counted without looking at data in the host's memory "
                                                   "alone: there is no upper bound for '" +
                                                       P.Asked.Space + "'"});
    return std::nullopt;
  }
  Result<Skeleton> Made = sliceNow({Around.Slicer, Around.Trust, CacheFolder::ofUser()}, Op.Heads, Op.Units,
                                   Op.Source.Symbol, SkeletonKind::Ceiling, Around.Summaries, Around.Deadline);
  if (!Made) {
    P.Notes.push_back({NoteCode::no_counted_upper, "no upper bound could be counted: " + Made.failure().Message});
    return std::nullopt;
  }
  if (!Made->Available) {
    P.Notes.push_back({NoteCode::no_counted_upper,
                       "counted without looking at data there is no upper bound either: " + Made->Reason});
    return std::nullopt;
  }
  RunnerOptions Options = runnerOptions(*Made, Around);
  Options.Limit = Timeout;
  SkeletonSession Session(*Made, Options);
  if (Session.start())
    return std::nullopt;
  Question Asked = P.Asked;
  Asked.Branches.clear();
  Asked.Values.clear();
  Asked.Refused.clear();
  Asked.Steps = 0;
  const Result<Footprint> Most = Session.evaluate(Asked);
  // A sum that leaves 63 bits is an end that only this shape has not.
  if (!Most || Most->Outcome != Footprint::Status::Ok || Most->Peak < (P.LeastSizes ? *P.LeastSizes : P.Heap).Peak) {
    P.Notes.push_back({NoteCode::no_counted_upper,
                       "counted without looking at data there is no upper bound either at this "
                       "shape"});
    return std::nullopt;
  }
  noteInitialFunctions(*Made, P.Notes);
  std::set<std::string> Silent;
  for (const UnknownCall &Call : Made->Unknown)
    if (P.Range.Silent.insert(Call.Symbol).second)
      Silent.insert(Call.Symbol);
  noteSilent(Silent, P.Notes);
  return Most->Peak;
}

/// For the space whose figures P has.
static void addToSpace(const WholeOperator &Op, const Surroundings &Around, Prediction &P) {
  if ((P.Range.Upper && !P.Range.Sampled) || P.Range.Presumed || P.Range.Wraps)
    return;
  P.Range.Sampled = false;
  const std::optional<std::uint64_t> Most = counted(Op, Around, P);
  if (!Most) {
    if (P.Range.Upper)
      P.Notes.push_back({NoteCode::search_cut,
                         "not every run could be followed, so there is no upper bound; the greatest peak that was "
                         "found is " +
                             std::to_string(*P.Range.Upper) + " bytes"});
    P.Range.withoutUpper();
    return;
  }
  // Runs with the greatest sizes that single values allow are beyond what counting knows of all of them.
  const bool SizesGuessed = std::any_of(P.Operator->Decisions.begin(), P.Operator->Decisions.end(),
                                        [](const SkeletonDecision &Each) { return Each.Bounded; });
  P.Range.Upper = SizesGuessed ? *Most : std::max(*Most, P.Range.Upper.value_or(0));
  std::erase_if(P.Notes, [](const Note &Each) { return deniesUpper(Each.Code); });
  P.Notes.push_back({NoteCode::counted_upper,
                     "the upper bound is counted: the greatest size of each block times how many of them there can "
                     "be at a time, whatever data is"});
}

void addCeiling(const WholeOperator &Op, const Surroundings &Around, Prediction &P) {
  addToSpace(Op, Around, P);
  expectLeastSizes(P);
  for (auto &[Space, There] : P.Elsewhere) {
    addToSpace(Op, Around, There);
    expectLeastSizes(There);
    if (There.Heap.Peak || P.Heap.Spaces.contains(Space))
      P.Heap.Spaces[Space] = There.Heap.Peak;
  }
}

} // namespace memshape
