// What the answers to decisions can do to a footprint.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Bounds.h"
#include "libmemshape/prediction/Circumstances.h"
#include "libmemshape/prediction/Sentences.h"
#include "libmemshape/skeletons/Assumptions.h"
#include "runner/protocol/Request.h"

#include "memshape/SkeletonAbi.h"

#include <algorithm>
#include <random>
#include <set>

namespace memshape {

namespace {

/// Other answers that are tried at most.
constexpr unsigned MaxEvaluations = 256;
/// Up to this many decisions all combinations are tried.
constexpr std::size_t MaxExhaustive = 5;
/// Ways of answering a decision that is asked often that are tried, FirstPattern to LastPattern for each: beyond the
/// evaluations above.
constexpr unsigned MaxPatterns = 32;
/// Questions that the skeleton may ask in all before no more patterns, or no more answers at all, are tried: a loop
/// over samples asks tens of millions, a few nanoseconds each. A count, so that every machine tries the same.
constexpr std::uint64_t AskedForPatterns = 40'000'000, AskedInAll = 400'000'000;

/// To follow every run: a reader waits, and the states that have to be kept are to stay small beside an operator. The
/// time is a last resort: states tell earlier.
constexpr RunLimits FollowedAtMost{50'000, std::chrono::milliseconds(300), std::uint64_t(64) << 20};

/// The same where loops turn many times between two states.
constexpr RunLimits FollowedAlike{20'000, std::chrono::milliseconds(700), std::uint64_t(64) << 20};
/// Decisions that are answered alike so that the others can be followed.
constexpr std::size_t MostFixed = 6;
/// How functions begin that ask for a fact of the device.
constexpr std::string_view DeviceQuery = "memshape_gpu_";

using Answers = std::map<std::uint32_t, std::uint32_t>;

std::string placeOf(const SourcePlace &Place) { return Place.File + ":" + std::to_string(Place.Line); }

class Search {
public:
  Search(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate)
      : S(S), Asked(Asked), Proposed(Proposed), Evaluate(Evaluate) {
    Out.Upper = Proposed.Peak + Proposed.Above;
    Out.Lower = Proposed.Peak - Proposed.Below;
    Undecided = Proposed.Undecided;
    note(Proposed);
    Highest = Asked.Branches;
    tryAsProposed();
    for (std::uint32_t Id = 0; Id < S.Decisions.size(); ++Id)
      SizesVary |= S.Decisions[Id].Bounded && !Asked.Values.contains(Id);
  }

  Bounds run() {
    if (SizesVary)
      evaluate(Asked);
    if (Majority.empty() || followAll()) {
      Complete = Majority.empty();
      finish();
      return std::move(Out);
    }
    if (!followMost()) {
      for (std::uint32_t Answer : {0u, 1u}) {
        if (proposedAlways(Answer))
          continue;
        Answers Same;
        for (std::uint32_t Id = 0; Id < S.Decisions.size(); ++Id)
          if (!S.Decisions[Id].IsValue)
            Same[Id] = Answer;
        attempt(std::move(Same));
      }
      // Every answer may bring decisions into sight that nobody asked for before.
      for (std::size_t Known = 0; Known < Majority.size() && !full();) {
        Known = Majority.size();
        for (auto [Id, Answer] : Answers(Majority))
          attempt({{Id, 1 - Answer}});
        combine();
      }
    }
    // Where answers that change from iteration to iteration lead higher than those that stay alike, others may lead
    // higher still.
    const std::uint64_t Uniform = *Out.Upper;
    varyInLoops();
    Out.Upper = std::max(*Out.Upper, Seen);
    Mixed = (*Out.Upper > Uniform && !Often.empty()) || (Last && Partial);
    finish();
    return std::move(Out);
  }

private:
  /// Every run, where they are few enough: bounds that are proven, and reached.
  bool followAll() {
    const bool CallsLibraries = std::any_of(S.Unknown.begin(), S.Unknown.end(), [](const UnknownCall &Call) {
      return !Call.Dropped && Call.Reason != CallReason::AsksForSize;
    });
    if (OrderMatters || ThreadStarted || !UnknownMet.empty() || CallsLibraries || S.Replayed)
      return false;
    for (std::uint32_t Id : ValuesAsked)
      if (!isBounded(Id))
        return false;
    // Where each is asked once, all ways of answering are few; and one run takes as long as all of them may.
    if (Often.empty() &&
        Proposed.WorkMicroseconds > std::uint64_t(std::chrono::microseconds(2 * FollowedAtMost.Time).count()))
      return false;
    Last = explore(Asked, FollowedAtMost);
    if (!Last)
      return false;
    const AllRuns *All = &*Last;
    Seen = All->Highest;
    if (!All->Complete) {
      Out.Notes.push_back({NoteCode::NotAllFollowed, "not every run was followed: " + All->Why});
      return false;
    }
    Followed = true;
    Out.Lower = std::min(All->Lower, Proposed.Peak);
    Out.Upper = std::max(All->Upper, Proposed.Peak);
    Out.Evaluations += static_cast<unsigned>(All->States);
    Out.Indifferent = All->Alike && !Assumed && Out.Lower == Out.Upper && All->Total == Proposed.Total &&
                      All->Allocations == Proposed.Allocations && All->Reallocations == Proposed.Reallocations &&
                      All->Output == Proposed.Output;
    return true;
  }

  /// Every run in which the busiest decisions, those in loops over data, are answered alike each time.
  bool followMost() {
    std::set<std::uint32_t> Fixed;
    while (Last && Last->TooMany && Fixed.size() < MostFixed) {
      std::uint64_t States = 0;
      std::uint32_t Busiest = 0;
      for (auto [Id, Count] : Last->StatesOf)
        if (Count > States && !Asked.Branches.contains(Id) && !Fixed.contains(Id)) {
          States = Count;
          Busiest = Id;
        }
      if (!States)
        return false;
      Fixed.insert(Busiest);
      std::uint64_t Lower = Proposed.Peak, Upper = Proposed.Peak;
      bool All = true;
      // All yes, all no, and each of them apart from the others. A loop that goes on and on tells at once.
      const std::uint32_t Ones = (1u << Fixed.size()) - 1;
      std::vector<std::uint32_t> Masks = {Ones, 0};
      for (std::uint32_t Bit = 1; Bit < Ones; Bit <<= 1) {
        Masks.push_back(Bit);
        if (Fixed.size() > 2)
          Masks.push_back(Ones ^ Bit);
      }
      for (std::size_t Iteration = 0; Iteration < Masks.size() && All; ++Iteration) {
        const std::uint32_t Mask = Masks[Iteration];
        Question Next = Asked;
        std::uint32_t Bit = 0;
        for (std::uint32_t Id : Fixed)
          Next.Branches[Id] = Mask >> Bit++ & 1;
        Last = explore(Next, FollowedAlike);
        if (!Last)
          return false;
        Seen = std::max(Seen, Last->Highest);
        All = Last->Complete;
        Lower = std::min(Lower, Last->Lower);
        Upper = std::max(Upper, Last->Upper);
      }
      if (!All)
        continue;
      Out.Lower = std::min(Out.Lower, Lower);
      Out.Upper = std::max(*Out.Upper, Upper);
      Often.insert(Fixed.begin(), Fixed.end());
      Out.Notes.push_back({NoteCode::FollowedMost,
                           "every run was followed in which these decisions are answered alike each time, all the same "
                           "or one apart: " +
                               placesOf(Fixed)});
      return true;
    }
    return false;
  }

  /// All runs, with sizes from data as small and as large as they can be: no way depends on them.
  std::optional<AllRuns> explore(Question Next, const RunLimits &Limits) {
    if (!SizesVary)
      return Evaluate.explore(Next, Limits);
    Next.SizesFromData = Question::Sizes::Greatest;
    std::optional<AllRuns> All = Evaluate.explore(Next, Limits);
    if (!All || !All->Complete)
      return All;
    Next.SizesFromData = Question::Sizes::Least;
    std::optional<AllRuns> Least = Evaluate.explore(Next, Limits);
    if (!Least || !Least->Complete)
      return Least;
    All->Lower = Least->Lower;
    All->Alike = All->Alike && Least->Alike && All->Lower == All->Upper;
    return All;
  }

  /// A value from data that is given, or makes nothing but sizes whose bounds are tried.
  bool isBounded(std::uint32_t Id) const { return Asked.Values.contains(Id) || S.Decisions[Id].Bounded; }

  std::string placesOf(const std::set<std::uint32_t> &Ids) const {
    std::string Text;
    for (std::uint32_t Id : Ids)
      if (Id < S.Decisions.size())
        Text += (Text.empty() ? "" : ", ") + placeOf(S.Decisions[Id].Place);
    return Text;
  }

  bool full() const { return Out.Evaluations >= Most || QuestionsAsked > AskedInAll; }

  /// The proposals came to the same answer each time.
  bool proposedAlways(std::uint32_t Answer) const {
    return Asked.Branches.empty() &&
           std::all_of(Proposed.Decisions.begin(), Proposed.Decisions.end(), [&](const DecisionUse &Use) {
             return Use.Id < S.Decisions.size() && (S.Decisions[Use.Id].IsValue || Use.Ones == Answer * Use.Asked);
           });
  }

  /// Data may answer differently each time that a decision is asked.
  void varyInLoops() {
    Cut = full();
    Complete = !Cut && !Partial && !Unanswered && Often.empty();
    Most = Out.Evaluations + MaxPatterns;
    const Answers From = Highest;
    for (std::uint32_t How = FirstPattern; How <= LastPattern && !Often.empty(); ++How) {
      if (QuestionsAsked > AskedForPatterns)
        return;
      Answers All = From;
      for (std::uint32_t Id : Often)
        All[Id] = How;
      attempt(std::move(All));
    }
    for (std::uint32_t Id : std::set<std::uint32_t>(Often))
      for (std::uint32_t How = FirstPattern; How <= LastPattern && Often.size() > 1; ++How) {
        Answers One = From;
        One[Id] = How;
        attempt(std::move(One));
      }
  }

  /// Where the proposals came to one answer for each decision, these answers were tried.
  void tryAsProposed() {
    Answers Same = Asked.Branches;
    for (const DecisionUse &Use : Proposed.Decisions)
      if (Use.Id >= S.Decisions.size() || S.Decisions[Use.Id].IsValue)
        continue;
      else if (Use.Ones != 0 && Use.Ones != Use.Asked)
        return;
      else
        Same.emplace(Use.Id, Use.Ones ? 1 : 0);
    Tried.insert(std::move(Same));
  }

  /// Remembers the calls that were not executed, and the decisions that were asked for with the answer they mostly got.
  void note(const Footprint &F) {
    OrderMatters |= F.Varies || F.Above || F.Below;
    UnknownMet.insert(F.UnknownMet.begin(), F.UnknownMet.end());
    ThreadStarted |= F.ThreadStarted;
    Endless.insert(F.Endless.begin(), F.Endless.end());
    Resized.insert(F.Resized.begin(), F.Resized.end());
    for (const DecisionUse &Use : F.Decisions) {
      QuestionsAsked += Use.Asked;
      if (Use.Id >= S.Decisions.size())
        continue;
      if (S.Decisions[Use.Id].IsValue)
        ValuesAsked.insert(Use.Id);
      else if (!Asked.Branches.contains(Use.Id)) {
        if (Use.Asked > 1)
          Often.insert(Use.Id);
        Majority.emplace(Use.Id, Use.Ones * 2 > Use.Asked ? 1 : 0);
      } else
        Assumed = true;
    }
  }

  void attempt(Answers Branches) {
    for (auto [Id, Answer] : Asked.Branches)
      Branches[Id] = Answer;
    // Where an answer leads to no end there is no upper bound to be found.
    if (full() || Unanswered || !Tried.insert(Branches).second)
      return;
    ++Out.Evaluations;
    Question Next = Asked;
    Next.Branches = Branches;
    evaluate(Next);
  }

  /// The peak of one way to answer, with the least and the greatest sizes that data can make.
  void evaluate(Question Next) {
    if (SizesVary)
      Next.SizesFromData = Question::Sizes::Greatest;
    Result<Footprint> Answer = Evaluate.evaluate(Next);
    if (!Answer || Answer->Outcome == Footprint::Status::Limit || Answer->Outcome == Footprint::Status::Error) {
      Unanswered = true;
      return;
    }
    if (Answer->Outcome == Footprint::Status::Throws &&
        (Answer->Reason == MEMSHAPE_SK_CAUGHT || Answer->Reason == MEMSHAPE_SK_WAITS)) {
      Unanswered = true; // the call does return, on a way that is not followed
      return;
    }
    if (Answer->Outcome == Footprint::Status::Throws)
      return; // no return, so no peak of a call that returns
    note(*Answer);
    if (Answer->Peak + Answer->Above > *Out.Upper) {
      Out.Upper = Answer->Peak + Answer->Above;
      Highest = Next.Branches;
    }
    if (SizesVary) {
      Next.SizesFromData = Question::Sizes::Least;
      Answer = Evaluate.evaluate(Next);
      if (!Answer || Answer->Outcome != Footprint::Status::Ok) {
        Unanswered = true;
        Out.Lower = 0;
        return;
      }
    }
    Out.Lower = std::min(Out.Lower, Answer->Peak - Answer->Below);
  }

  void combine() {
    std::vector<std::uint32_t> Ids;
    for (auto [Id, Answer] : Majority)
      Ids.push_back(Id);
    if (Ids.size() <= MaxExhaustive) {
      for (unsigned Mask = 0; Mask < 1u << Ids.size(); ++Mask) {
        Answers Combination;
        for (std::size_t I = 0; I < Ids.size(); ++I)
          Combination[Ids[I]] = Mask >> I & 1;
        attempt(std::move(Combination));
      }
      return;
    }
    Partial = true;
    // Some answers matter only together with others: draws lead past peaks that no single answer raises.
    for (unsigned Draw = 0; Draw < Draws && !full(); ++Draw) {
      Answers Drawn;
      for (std::uint32_t Id : Ids)
        Drawn[Id] = Random() & 1;
      attempt(std::move(Drawn));
    }
    // From the highest peak so far, flip one more answer as long as that helps.
    for (bool Risen = true; Risen && !full();) {
      Risen = false;
      std::uint64_t Before = *Out.Upper;
      for (std::uint32_t Id : Ids) {
        Answers Next = Highest;
        auto [Place, New] = Next.emplace(Id, 1 - Majority[Id]);
        if (!New)
          Place->second = Place->second ? 0 : 1;
        attempt(std::move(Next));
      }
      Risen = *Out.Upper > Before;
    }
  }

  void finish() {
    Out.LeftOut = UnknownMet;
    Out.Exact =
        (Majority.empty() || Out.Indifferent) && ValuesAsked.empty() && !Assumed && !ThreadStarted && !OrderMatters;
    weighUnknownCalls();
    weighResized();
    weighSizes();
    weighSearch();
    const bool NoneOpen = std::all_of(ValuesAsked.begin(), ValuesAsked.end(),
                                      [&](std::uint32_t Id) { return isBounded(Id) && !Asked.Values.contains(Id); });
    Out.Sampled = Out.Upper && !Out.Exact && !Complete && !Followed;
    Out.Proven = Out.Upper && !Assumed && !OrderMatters && (Out.Exact || ((Complete || Followed) && NoneOpen));
  }

  /// What calls of unknown functions, threads of libraries and the order of threads leave of the bounds.
  void weighUnknownCalls() {
    std::set<std::string> Names, UnprovenNames;
    std::map<std::string, std::set<std::string>>
        Otherwise; ///< why it is not proven, where not for the data it is given
    for (std::uint32_t Id : UnknownMet)
      if (Asked.Refused.contains(Id))
        Names.insert(S.Unknown[Id].Symbol + " (which fails on zeros)");
      else if (Id < S.Unknown.size() && S.Unknown[Id].Dropped)
        Names.insert(S.Unknown[Id].Symbol);
      else if (Id < S.Unknown.size())
        (S.Unknown[Id].Reason == CallReason::OnZeros ? UnprovenNames : Otherwise[sentence(S.Unknown[Id])])
            .insert(S.Unknown[Id].Symbol);
    const auto Listed = [](const std::set<std::string> &Each) {
      std::string Text;
      for (const std::string &Name : Each)
        Text += (Text.empty() ? "" : ", ") + Name;
      return Text;
    };
    const std::string Dropped = Listed(Names), Unproven = Listed(UnprovenNames);
    Out.Exact = Out.Exact && Dropped.empty() && Unproven.empty() && Otherwise.empty();
    if (!Unproven.empty() || !Otherwise.empty()) {
      Out.Lower = 0;
      Out.Upper.reset();
    }
    if (!Unproven.empty())
      Out.Notes.push_back(
          {NoteCode::OnZeros, "executed on zeros; other data may make them allocate differently: " + Unproven});
    for (const auto &[Why, Of] : Otherwise)
      Out.Notes.push_back({NoteCode::UnprovenCall, Listed(Of) + ": " + Why + "; what was counted is one run of many"});
    if (ThreadStarted) {
      Out.Lower = 0;
      Out.Upper.reset();
      Out.Notes.push_back(threadsOfLibraries());
    }
    if (OrderMatters)
      Out.Notes.push_back(
          {NoteCode::ThreadOrder,
           "the peak is the most that threads can hold at the same time; how far each has come when "
           "another is at its peak, and what their run-time library requests for itself, is not certain"});
    if (!Dropped.empty()) {
      Out.Lower = Asked.Refused.empty() ? Out.Lower : 0;
      Out.Upper.reset();
      Out.Notes.push_back({NoteCode::LeftOut, "not executed, so their memory is not counted: " + Dropped});
    }
  }

  /// The caller's blocks count as none: what is live is at most what was counted.
  void weighResized() {
    if (Resized.empty())
      return;
    std::vector<const Parameter *> Tensors;
    for (const Parameter &P : S.Parameters)
      if (P.What != Role::Shape && P.What != Role::Setting)
        Tensors.push_back(&P);
    std::string Names;
    for (std::uint32_t Number : Resized) {
      const bool Named = Number <= Tensors.size() && !Tensors[Number - 1]->Name.empty();
      Names += (Names.empty() ? "" : ", ") +
               (Named ? "'" + Tensors[Number - 1]->Name + "'" : "tensor number " + std::to_string(Number));
    }
    Out.Exact = false;
    Out.Lower = std::min(Out.Lower, Undecided);
    Out.Notes.push_back(
        {NoteCode::ResizedTensor,
         "the operator frees or reallocates memory of its caller, " + Names +
             ": how many bytes that has is not known, so it counts as none, and the peak may be lower"});
  }

  /// What sizes from data leave of them.
  void weighSizes() {
    std::vector<std::string> Sizes = decisionNames(S);
    std::string Open; ///< values that sizes are made of
    for (std::uint32_t Id : ValuesAsked)
      if (!Asked.Values.contains(Id) && S.Decisions[Id].Effect != DecisionEffect::Case)
        Open += (Open.empty() ? "" : ",") + Sizes[Id] + "=N";
    for (std::int64_t Site : Endless) {
      Out.Upper.reset();
      Out.Notes.push_back(
          {NoteCode::UnboundedSize, "a size " +
                                        (Site < 0 || Site >= std::ssize(S.Sites)
                                             ? std::string("in a library")
                                             : "at " + placeOf(S.Sites[static_cast<std::size_t>(Site)].Place)) +
                                        " comes from data and has no bound at this shape" +
                                        (Open.empty() ? "" : "; give it with --assume " + Open)});
    }
    for (std::uint32_t Id : ValuesAsked)
      if (!isBounded(Id)) {
        // Another value can lead anywhere: a switch on data may allocate nothing at all.
        Out.Lower = 0;
        Out.Upper.reset();
        const bool IsCase = S.Decisions[Id].Effect == DecisionEffect::Case;
        Out.Notes.push_back(
            {IsCase ? NoteCode::UnboundedSwitch : NoteCode::UnboundedSize,
             (IsCase ? "the switch at " + placeOf(S.Decisions[Id].Place) + " is on data; give its value with --assume "
                     : "a size at " + placeOf(S.Decisions[Id].Place) +
                           " comes from data and has no bound; give it with --assume ") +
                 Sizes[Id] + "=N"});
      } else if (!Asked.Values.contains(Id) && Endless.empty()) {
        Out.Notes.push_back(
            {NoteCode::SizeFromData, "a size at " + placeOf(S.Decisions[Id].Place) +
                                         " comes from data, which can make it anything within the bounds; --assume " +
                                         Sizes[Id] + "=N gives it"});
      }
  }

  /// What the answers that were tried, and those that were not, leave of them.
  void weighSearch() {
    if (Unanswered) {
      Out.Upper.reset();
      Out.Notes.push_back({NoteCode::EndlessAnswers,
                           "with another answer to decisions the skeleton came to no end, so there is no upper bound"});
    }
    if (Mixed && Out.Upper) {
      Out.Notes.push_back(
          {NoteCode::ChangingAnswers,
           "answers that change from iteration to iteration can lead higher than those that were tried, so there is no "
           "upper bound; the greatest peak that was found is " +
               std::to_string(*Out.Upper) + " bytes"});
      Out.Upper.reset();
    }
    if (Cut && Out.Upper) {
      Out.Notes.push_back({NoteCode::SearchCut,
                           "the search for the greatest peak was cut short, so there is no upper bound; the greatest "
                           "that was found is " +
                               std::to_string(*Out.Upper) + " bytes"});
      Out.Upper.reset();
    }
    if (Partial || Cut)
      Out.Notes.push_back({NoteCode::Combinations, "the bounds are over " + std::to_string(Out.Evaluations + 1) +
                                                       " of the combinations of " + std::to_string(Majority.size()) +
                                                       " decisions"});
    // What was not tried may lead lower than what was.
    if (!Majority.empty() && !Complete && !Followed)
      Out.Lower = std::min(Out.Lower, Undecided);
    if (!Often.empty() && !Followed)
      Out.Notes.push_back(
          {NoteCode::RepeatedDecision,
           "a decision in a loop was answered alike in every iteration, alternately, at random, and once "
           "differently; other data may lie outside these bounds"});
  }

  const Skeleton &S;
  const Question &Asked;
  const Footprint &Proposed;
  Evaluator &Evaluate;
  Bounds Out;
  bool SizesVary = false;          ///< the skeleton knows bounds of sizes from data, and which they are is not given
  std::set<std::uint32_t> Resized; ///< tensors, from 1
  std::set<std::int64_t> Endless;  ///< sites where it knows none at this shape
  Answers Majority;                ///< branch decisions that were asked for and that the user did not answer
  unsigned Most = MaxEvaluations;
  static constexpr unsigned Draws = 64;
  std::mt19937 Random{20}; ///< alike in every prediction
  bool Cut = false;        ///< the search came to its cap
  std::uint64_t Undecided = 0;
  bool Complete = false;         ///< every way of answering was tried
  std::optional<AllRuns> Last;   ///< that were followed
  bool Followed = false;         ///< every run was followed, whatever data answers
  std::set<std::uint32_t> Often; ///< decisions that were asked more than once
  std::set<std::uint32_t> ValuesAsked, UnknownMet;
  std::set<Answers> Tried;
  Answers Highest;
  bool Unanswered = false;
  std::uint64_t QuestionsAsked = 0;
  std::uint64_t Seen = 0; ///< greatest peak of the runs that were followed, all of them or not
  bool Mixed = false;     ///< answers that change lead higher than those that stay alike
  bool Assumed = false, Partial = false, ThreadStarted = false, OrderMatters = false;
};

} // namespace

/// Facts of the device on which the figures rest although nobody has said of which device they are.
static std::set<std::string> presumedOf(const Skeleton &S, const Footprint &Proposed) {
  std::set<std::string> Missing, OfRun;
  bool Asks = false; // of the device, in this run
  for (const std::string_view Function : S.Machine) {
    if (!Function.starts_with(DeviceQuery))
      continue;
    const std::string Name(Function.substr(DeviceQuery.size()));
    Missing.insert(Name);
    Asks |= Proposed.Machine.contains(Name);
    if (Proposed.Machine.contains(Name) && Proposed.Presumed.contains(Name))
      OfRun.insert(Name);
  }
  // Other answers to decisions may lead to other questions.
  if (Proposed.Decisions.empty())
    return OfRun;
  if (Asks)
    std::erase_if(Missing, [&](const std::string &Name) { return !Proposed.Presumed.contains(Name); });
  return Missing;
}

/// Another device may lead anywhere.
static void presumeDevice(const Skeleton &S, const Footprint &Proposed, Bounds &Found) {
  std::string Missing;
  for (const std::string &Name : presumedOf(S, Proposed))
    Missing += (Missing.empty() ? "" : ", ") + Name;
  if (Missing.empty())
    return;
  Found.Presumed = true;
  Found.Exact = Found.Indifferent = Found.Proven = Found.Sampled = false;
  Found.Lower = 0;
  Found.Upper.reset();
  Found.Notes.push_back({NoteCode::PresumedDevice, "the device is presumed to be an H100, so that there are no bounds: "
                                                   "say what it is with --machine, gpu=NAME or each of " +
                                                       Missing});
}

Bounds boundsOf(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate) {
  Bounds Found = Search(S, Asked, Proposed, Evaluate).run();
  holdUnderCircumstances(S, Asked, Proposed, Evaluate, Found);
  presumeDevice(S, Proposed, Found);
  return Found;
}

} // namespace memshape
