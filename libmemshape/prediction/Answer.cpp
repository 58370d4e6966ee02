// A prediction by the best means there are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Answer.h"
#include "libmemshape/prediction/Methods.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/skeletons/ArgumentValues.h"
#include "libmemshape/skeletons/SlicerProcess.h"
#include "libmemshape/text/Split.h"

#include "memshape/SkeletonAbi.h"

#include <algorithm>
#include <set>

namespace memshape {

namespace {

using std::chrono::seconds;

/// For the skeleton at the asked shape, as Evaluator::busy() tells time.
constexpr seconds SkeletonTimeout{60};
/// For a run of the operator itself.
constexpr seconds RealRunTimeout{30};
constexpr std::uint64_t RealRunBytes = std::uint64_t(512) << 20; ///< that it may fill

std::string unitNames(const WholeOperator &Op) {
  std::string Text;
  constexpr std::size_t Shown = 5;
  for (std::size_t I = 1; I < Op.Units.size() && I <= Shown; ++I)
    Text += (I > 1 ? ", " : "") + Op.Heads[Op.Units[I]].Source;
  return Op.Units.size() > Shown + 1 ? Text + ", ..." : Text;
}

/// Hands questions on, and remembers how the first one went: it is the one about the asked shape. It is asked again
/// where an unknown call ended it.
class Listening final : public Evaluator {
public:
  explicit Listening(Evaluator &To) : To(To) {}
  Result<Footprint> evaluate(const Question &Asked) override {
    Result<Footprint> Answer = To.evaluate(Asked);
    if (!Heard) {
      Heard = !Answer || !Answer->Attempted;
      Building = Answer ? Answer->Building : 0;
      Wraps = Answer ? Answer->Wraps : std::vector<std::uint32_t>();
      Usable = Answer && (Answer->Outcome == Footprint::Status::Ok ||
                          (Answer->Outcome == Footprint::Status::Throws &&
                           Answer->Reason.value_or(MEMSHAPE_SK_REFUSED) == MEMSHAPE_SK_REFUSED));
    }
    return Answer;
  }
  FootprintRows evaluateAt(const Question &Asked, std::span<const std::vector<std::int64_t>> Shapes) override {
    return To.evaluateAt(Asked, Shapes);
  }
  std::optional<AllRuns> explore(const Question &Asked, const RunLimits &Limits) override {
    return To.explore(Asked, Limits);
  }
  std::optional<std::chrono::nanoseconds> busy() const override { return To.busy(); }
  /// False where the skeleton faulted, did not end, or came to what was not followed.
  bool usable() const { return Heard && Usable; }
  /// The argument, from 1, that it was building when it ended.
  std::uint32_t building() const { return Building; }
  /// Arithmetic of sizes that had left its type, by number.
  const std::vector<std::uint32_t> &wraps() const { return Wraps; }

private:
  Evaluator &To;
  bool Heard = false, Usable = false;
  std::uint32_t Building = 0;
  std::vector<std::uint32_t> Wraps;
};

/// What may help where a function is missing, or where the operator asks whether it is given a tensor.
std::string hint(const Skeleton &S, const Question &Asked) {
  for (const UnknownCall &Call : S.Unknown)
    if (Call.Dropped && Call.Reason == CallReason::NoBody)
      return "; '" + Call.Symbol + "' is defined in none of the given files: name the one that holds it, too";
  const std::map<std::uint32_t, std::string> Names = S.namedTensors();
  for (const SkeletonDecision &Decision : S.Decisions)
    if (Decision.Tensor && Names.contains(*Decision.Tensor) && !Asked.Presence.contains(*Decision.Tensor))
      return "; " + sentence(TensorPresence{*Decision.Tensor, Names.at(*Decision.Tensor), Decision.Place});
  for (const TensorPresence &Each : S.Presences)
    if (!Asked.Presence.contains(Each.Tensor))
      return "; " + sentence(Each);
  return "";
}

/// How a skeleton ended that gave no answer.
struct Ending {
  bool Usable = false;        ///< as Listening tells
  std::uint32_t Building = 0; ///< the argument, from 1, that it was building
  std::vector<Note> Wraps;    ///< sizes that had wrapped
};

Result<Prediction> bySkeleton(const Skeleton &S, const Question &Asked, const Surroundings &Around, Ending &End) {
  RunnerOptions Options = runnerOptions(S, Around);
  Options.Limit = SkeletonTimeout;
  SkeletonSession Session(S, Options);
  if (std::optional<Failure> Wrong = Session.start())
    return *Wrong;
  Listening First(Session);
  Result<Prediction> Predicted = predictWith(
      S, Asked, First, [&](auto Longest, auto InAll) { Session.setTimeouts(Longest, InAll); }, FormulaCache::ofUser(),
      Around.Formulas);
  End = {First.usable() || (!Predicted && Predicted.failure().Code == FailureCode::TooLarge), First.building(), {}};
  for (std::uint32_t Id : First.wraps())
    if (Id < S.Wraps.size())
      End.Wraps.push_back(wrapNote(S.Wraps[Id]));
  return Predicted;
}

/// Decisions in loops that nothing but data ends: the runner has had to end one itself, so that the figures say little.
bool runsAway(const Prediction &P) {
  return !P.Range.Upper && std::any_of(P.Heap.Decisions.begin(), P.Heap.Decisions.end(),
                                       [](const DecisionUse &Use) { return Use.Asked > MEMSHAPE_SK_PROPOSALS; });
}

/// Calls that the operator came to and that were not executed, though a run would execute them: their memory is
/// missing.
std::vector<const UnknownCall *> callsLeftOut(const Prediction &P, const Skeleton &S) {
  std::vector<const UnknownCall *> Found;
  for (std::uint32_t Id : P.Heap.UnknownMet)
    if (Id < S.Unknown.size() && S.Unknown[Id].Dropped &&
        (S.Unknown[Id].Reason == CallReason::NoBody || S.Unknown[Id].Reason == CallReason::Replaceable ||
         S.Unknown[Id].Reason == CallReason::NoTarget || S.Unknown[Id].Reason == CallReason::NoLibrary ||
         S.Unknown[Id].Reason == CallReason::Caught))
      Found.push_back(&S.Unknown[Id]);
  return Found;
}

/// The functions that are called, for a sentence, and whether there are several.
std::pair<std::string, bool> namesOf(const std::vector<const UnknownCall *> &Calls) {
  constexpr std::size_t Shown = 5;
  std::string Names;
  std::set<std::string> Known;
  for (const UnknownCall *Call : Calls)
    if (Known.insert(Call->Symbol).second && Known.size() <= Shown)
      Names += (Names.empty() ? "'" : ", '") + Call->Symbol + "'" +
               (Call->Reason == CallReason::NoTarget && Call->Place.Line ? " at " + shortPlace(Call->Place) : "");
  if (Known.size() > Shown)
    Names += " and " + std::to_string(Known.size() - Shown) + " more";
  return {Names, Known.size() > 1};
}

/// Figures without what these calls take would be read as those of the operator.
Failure withoutCalls(const Skeleton &S, const std::vector<const UnknownCall *> &Missing) {
  const auto &[Names, Several] = namesOf(Missing);
  const CallReason Reason = Missing.front()->Reason;
  if (Reason == CallReason::Caught)
    return Failure{"no answer for '" + S.Operator + "' at this shape: an exception may be caught" +
                       (Missing.front()->Place.Line ? " at " + shortPlace(Missing.front()->Place) : "") +
                       ", which only a run of the operator follows",
                   FailureCode::CallsLeftOut};
  const std::string Why = Reason == CallReason::NoTarget ? "whose target is not known"
                          : Reason == CallReason::Replaceable
                              ? "which the given files define weakly or by a resolver, so that another function may "
                                "take its place"
                              : "defined in none of the given files";
  return Failure{"no answer for '" + S.Operator + "' at this shape: it calls " + Names + ", " + Why + ", and what " +
                     (Several ? "they allocate" : "it allocates") +
                     " would be missing; name the file or library that holds " + (Several ? "them" : "it") +
                     ", too, or say with --summaries what " + (Several ? "they do" : "it does") + " to memory",
                 FailureCode::CallsLeftOut};
}

/// Building: the argument that it was building when it failed, from 1; 0: none. SameReason: it cannot be made for the
/// reason for which there is no skeleton.
Result<Answer> byReplay(const WholeOperator &Op, const Question &Asked, const Surroundings &Around,
                        const std::string &Why, std::uint32_t &Building, bool &SameReason) {
  Answer Out;
  Result<Skeleton> Itself = sliceNow({Around.Slicer, Around.Trust, CacheFolder::ofUser()}, Op.Heads, Op.Units,
                                     Op.Source.Symbol, SkeletonKind::Replay, Around.Summaries, Around.Deadline);
  if (!Itself)
    return Itself.failure();
  if (!Itself->Available) {
    SameReason = Itself->Reason == Op.Source.Reason;
    return Failure{Itself->Reason};
  }
  Itself->Level = Op.Source.Level;
  Out.Source = std::make_unique<Skeleton>(std::move(*Itself));
  RunnerOptions Options = runnerOptions(*Out.Source, Around);
  Options.Limit = RealRunTimeout;
  Options.ResidentBytes = RealRunBytes;
  Result<Prediction> Predicted = predictByReplay(*Out.Source, Asked, Options, Why, Around.Formulas, Building);
  if (!Predicted)
    return Predicted.failure();
  if (const auto Missing = callsLeftOut(*Predicted, *Out.Source); !Missing.empty())
    return withoutCalls(*Out.Source, Missing);
  Out.Predicted = std::move(*Predicted);
  addSpacesWithoutBounds(Out.Predicted);
  return Out;
}

} // namespace

/// The operator with what its units define.
static Result<WholeOperator> linked(const Skeleton &S, const Surroundings &Around) {
  WholeOperator Op;
  Op.Source = S;
  std::vector<std::string> Unusable;
  Op.Heads = modulesOf(Around.Files, Unusable);
  for (std::string &Text : Unusable)
    Op.Source.Notes.push_back({NoteCode::unusable_unit, std::move(Text)});
  // Given up before it was known what the operator uses of others.
  const bool Early = !S.Available && S.Flattened > 0 && S.Undefined.empty();
  UnitChoice Choice = unitsOf(Op.Heads, S.Symbol, S.Undefined, /*WholeUnit=*/Early);
  Op.Units = std::move(Choice.Units);
  if (!Around.Summaries.empty() && Op.Units.empty())
    return Failure{"'" + S.Operator + "' was compiled without bodies, so that summaries cannot be used now: " +
                   "compile it with -fplugin-arg-memshape-summaries=FILE"};
  // Not sliced because that would have taken a compilation too long, rather than because it cannot be.
  const bool GivenUp = !S.Available && S.Flattened > 0 && !Op.Units.empty();
  if (Op.Units.size() < 2 && Around.Summaries.empty() && !GivenUp)
    return Op;
  Result<Skeleton> Whole = sliceNow({Around.Slicer, Around.Trust, CacheFolder::ofUser()}, Op.Heads, Op.Units, S.Symbol,
                                    SkeletonKind::Slice, Around.Summaries, Around.Deadline);
  if (Whole) {
    Op.Source = std::move(*Whole);
    Op.Source.Level = S.Level;
    if (Op.Units.size() > 1)
      Op.Source.Notes.push_back({NoteCode::linked_units, "with functions of " + unitNames(Op)});
    if (!Choice.Ambiguous.empty()) {
      Op.Complete = false;
      Op.Source.Notes.push_back(
          {NoteCode::ambiguous_definition,
           "'" + Choice.Ambiguous + "' is defined more than once; the first definition was taken"});
    }
    return Op;
  }
  if (!Around.Summaries.empty())
    return Whole.failure();
  if (Op.Units.size() < 2)
    return Op;
  Op.Complete = false;
  Op.Source.Notes.push_back(
      {NoteCode::missing_units, "functions of " + unitNames(Op) + " are missing: " + Whole.failure().Message});
  return Op;
}

RunnerOptions runnerOptions(const Skeleton &S, const Surroundings &Around) {
  RunnerOptions Options = runnerOptions(S, Around.Files, Around.Libraries, Around.Runner);
  Options.Machine = Around.Machine;
  Options.Trust = Around.Trust;
  return Options;
}

/// Where the program has an allocator of its own.
static std::optional<Note> ownAllocator(const Surroundings &Around) {
  const std::optional<OwnFunction> Own = replacedFunction(Around.Files);
  if (!Own)
    return std::nullopt;
  return Note{NoteCode::missing_units, "'" + Own->File + "' has a function " + Own->Name +
                                           " of its own, which the libraries that are called use, too: what it takes "
                                           "there is not known"};
}

Result<WholeOperator> wholeOperator(const Skeleton &S, const Surroundings &Around) {
  Result<WholeOperator> Op = linked(S, Around);
  if (!Op)
    return Op;
  std::vector<std::string> Taken = S.Undefined;
  Taken.insert(Taken.end(), Op->Source.Undefined.begin(), Op->Source.Undefined.end());
  if (const std::optional<OwnFunction> Own = ownFunction(Around.Files, Op->Heads, Taken)) {
    Op->Complete = false;
    Op->Source.Notes.push_back({NoteCode::missing_units,
                                "'" + Own->File + "' has a function " + Own->Name +
                                    " of its own, from a unit without -fplugin=memshape: what it takes is not known"});
  }
  const std::vector<UnknownCall> &Unknown = Op->Source.Unknown;
  if (std::all_of(Unknown.begin(), Unknown.end(), [](const UnknownCall &Call) { return Call.Dropped; }))
    return Op;
  if (std::optional<Note> Own = ownAllocator(Around)) {
    Op->Complete = false;
    Op->Source.Notes.push_back(std::move(*Own));
  }
  return Op;
}

/// The answer, with an upper bound only where its runs tell one.
static Result<Answer> answerAsGiven(const WholeOperator &Op, const Question &Asked, const Surroundings &Around) {
  const bool MayReplay = !Op.Units.empty() && Asked.Open.empty(); // a run reads all of its arguments
  std::string Why = Op.Source.Reason.empty() ? "no reason given" : Op.Source.Reason;
  Failure Wrong{"operator '" + Op.Source.Operator + "' has no skeleton: " + Why};
  Ending End;
  std::uint32_t ReplayBuilding = 0;
  bool SameReason = false;
  if (Op.Source.Available) {
    Answer Out;
    Out.Source = std::make_unique<Skeleton>(Op.Source);
    Result<Prediction> Predicted = bySkeleton(*Out.Source, Asked, Around, End);
    if (Predicted) {
      Out.Predicted = std::move(*Predicted);
      if (!Op.Complete) { // what is missing may take any number of bytes
        Out.Predicted.Range.withoutBounds();
        for (auto &[Space, There] : Out.Predicted.Elsewhere)
          There.Range.withoutBounds();
      }
      const std::vector<const UnknownCall *> Missing = callsLeftOut(Out.Predicted, *Out.Source);
      const bool Endless = runsAway(Out.Predicted);
      const bool Assumed = !Asked.Branches.empty() || !Asked.Values.empty(); // which a replay cannot follow
      if (Missing.empty() && (!Endless || !MayReplay))
        return Out;
      Wrong = Missing.empty() ? Wrong : withoutCalls(*Out.Source, Missing);
      // They are there, but could not be brought together.
      if (!Op.Complete && !Missing.empty() && !Op.Source.Notes.empty())
        Wrong.Message = "no answer for '" + Op.Source.Operator + "' at this shape: " + Op.Source.Notes.back().Text;
      if (!MayReplay || (Assumed && !Missing.empty()))
        return Wrong;
      Result<Answer> Once = byReplay(Op, Asked, Around,
                                     Endless ? "the answers that it proposes to decisions lead to no end"
                                             : "it calls " + namesOf(Missing).first + ", which only a run executes",
                                     ReplayBuilding, SameReason);
      if (!Once && Missing.empty())
        return Out;
      if (!Once)
        return Once.failure().Code == FailureCode::CallsLeftOut
                   ? Once.failure()
                   : Failure{Wrong.Message +
                             "; a run of the operator itself gave no answer either: " + Once.failure().Message};
      // One run, beside what the skeleton knows of data. It bounds nothing: other data may leave any part out.
      Once->Source->Decisions = Out.Source->Decisions;
      Once->Source->Presences = Out.Source->Presences;
      Once->Predicted.Heap.Decisions = Out.Predicted.Heap.Decisions;
      return Once;
    }
    Wrong = Predicted.failure();
    if (!End.Usable && Op.Complete)
      Wrong.Message += hint(*Out.Source, Asked);
    for (const std::string &Text : textsOf(End.Wraps))
      Wrong.Message += "; " + Text;
    if (End.Usable)
      return Wrong;
    Why = Predicted.failure().Message;
  }
  if (!MayReplay)
    return Asked.Open.empty() ? Wrong
                              : Failure{Wrong.Message + "; a run of it needs " + joined(Asked.Open), Wrong.Code};
  Result<Answer> Out = byReplay(Op, Asked, Around, Why, ReplayBuilding, SameReason);
  if (Out && !End.Wraps.empty()) {
    Out->Predicted.Range.withoutBounds();
    Out->Predicted.Range.Wraps = true;
    Out->Predicted.Notes.insert(Out->Predicted.Notes.begin(), End.Wraps.begin(), End.Wraps.end());
  }
  if (!Out && ReplayBuilding)
    return Out;
  // What is built from what lies outside of the process is built from nothing in a replay.
  const std::string Called = Out && Op.Source.Available ? reachingOut(*Out->Source, Out->Predicted.Heap) : "";
  if (!Called.empty())
    return notBuilt(*Out->Source, Asked, End.Building, Called);
  if (End.Building)
    return Out ? std::move(Out) : Wrong;
  if (!Out && !SameReason)
    return Failure{Wrong.Message + "; and a replay of the operator itself failed: " + Out.failure().Message};
  return Out ? std::move(Out) : Wrong;
}

/// The same, where a pool or a context that the operator asks for is null if no call with it is understood: nobody shows
/// what lies behind such a pointer.
static Result<Answer> answerByRuns(const WholeOperator &Op, const Question &Asked, const Surroundings &Around) {
  Result<Answer> Out = answerAsGiven(Op, Asked, Around);
  if (Out)
    return Out;
  std::set<std::uint32_t> AsksFor;
  for (const SkeletonDecision &Decision : Op.Source.Decisions)
    if (Decision.Tensor)
      AsksFor.insert(*Decision.Tensor);
  for (const TensorPresence &Each : Op.Source.Presences)
    AsksFor.insert(Each.Tensor);
  Question Without = Asked;
  std::vector<Note> Absent;
  const auto IsPool = [&](const std::string &Name) {
    return std::ranges::any_of(Op.Source.Parameters, [&](const Parameter &P) {
      return P.What == Role::Tensor && P.Name == Name && !P.Default.empty();
    });
  };
  for (const auto &[Number, Name] : Op.Source.namedTensors())
    if (IsPool(Name) && AsksFor.contains(Number) && Without.Presence.try_emplace(Number, false).second)
      Absent.push_back({NoteCode::null_pool, "'" + Name +
                                                 "' is taken to be null, as no call with one is understood: --set " +
                                                 presenceName(Name) + "=1 says why"});
  Result<Answer> Null = Absent.empty() ? Result<Answer>(Out.failure()) : answerAsGiven(Op, Without, Around);
  if (!Null)
    return Out;
  Bounds &Range = Null->Predicted.Range;
  Range.unproven();
  for (std::vector<Note> *Notes : {&Range.Notes, &Null->Predicted.Notes})
    Notes->insert(Notes->begin(), Absent.begin(), Absent.end());
  return Null;
}

/// Sizes that lie in memory beside data are known where no data was written to their bytes: a skeleton that asks for
/// that is exact, or has bounds, or else tells nothing.
static std::optional<Answer> answerByTaint(const WholeOperator &Op, const Question &Asked, const Surroundings &Around,
                                           const Prediction &Known) {
  const bool Weak = !Known.Range.Exact && Op.Source.BesideData;
  if (!Weak || Op.Units.empty() || !Op.Complete || !Asked.Branches.empty() || !Asked.Values.empty())
    return std::nullopt;
  Result<Skeleton> Made = sliceNow({Around.Slicer, Around.Trust, CacheFolder::ofUser()}, Op.Heads, Op.Units,
                                   Op.Source.Symbol, SkeletonKind::Taint, Around.Summaries, Around.Deadline);
  if (!Made || !Made->Available)
    return std::nullopt;
  Made->Notes = Op.Source.Notes;
  Made->Level = Op.Source.Level;
  Answer Out;
  Out.Source = std::make_unique<Skeleton>(std::move(*Made));
  Ending End;
  Result<Prediction> Predicted = bySkeleton(*Out.Source, Asked, Around, End);
  if (!Predicted || !callsLeftOut(*Predicted, *Out.Source).empty())
    return std::nullopt;
  // Answers that were not tried may lead to a number that data was written over: what was tried is no bound of them.
  const bool Bounded = Predicted->Range.Upper && !Predicted->Range.Sampled;
  if (!Predicted->Range.Exact && (Known.Range.Upper || !Bounded))
    return std::nullopt;
  Out.Predicted = std::move(*Predicted);
  return Out;
}

Result<Answer> answer(const WholeOperator &Op, const Question &Asked, const Surroundings &Around) {
  Result<Answer> Out = answerByRuns(Op, Asked, Around);
  if (!Out)
    return Out;
  if (std::optional<Answer> Better = answerByTaint(Op, Asked, Around, Out->Predicted))
    return std::move(*Better);
  // A run of the operator itself calls the libraries that this process has.
  if (Out->Source->Replayed && Op.Complete)
    if (std::optional<Note> Own = ownAllocator(Around)) {
      Out->Predicted.Range.withoutBounds();
      Out->Predicted.Notes.push_back(std::move(*Own));
      return Out;
    }
  addCeiling(Op, Around, Out->Predicted);
  return Out;
}

} // namespace memshape
