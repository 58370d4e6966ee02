// What was seen of a call when its decisions were answered in other ways.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/prediction/Evidence.h"
#include "libmemshape/prediction/Sentences.h"
#include "runner/protocol/Request.h"

#include "memshape/SkeletonAbi.h"

#include <algorithm>
#include <random>
#include <utility>

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
/// Draws of answers to many decisions.
constexpr unsigned Draws = 64;

/// Runs the skeleton with other answers and keeps what is seen.
class Trials {
public:
  const Skeleton &S;
  const Question &Asked;
  const Footprint &Proposed;
  Evidence Seen;
  std::optional<AllRuns> Followed; ///< the last ones
  std::uint64_t Highest = 0;       ///< peak of the runs that were followed, all of them or not
  Answers AtUpper;                 ///< those that led to Seen.Upper

  Trials(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate)
      : S(S), Asked(Asked), Proposed(Proposed), AtUpper(Asked.Branches), Evaluate(Evaluate) {
    Seen.Upper = Proposed.Peak + Proposed.Above;
    Seen.Lower = Proposed.Peak - Proposed.Below;
    see(Proposed);
    keepProposed();
    for (std::uint32_t Id = 0; Id < S.Decisions.size(); ++Id)
      SizesVary |= S.Decisions[Id].Bounded && !Asked.Values.contains(Id);
    if (SizesVary)
      evaluate(Asked);
  }

  bool full() const { return Seen.Evaluations >= Most || QuestionsAsked > AskedInAll; }
  bool enoughPatterns() const { return QuestionsAsked > AskedForPatterns; }
  void allowMore(unsigned Evaluations) { Most = Seen.Evaluations + Evaluations; }

  void attempt(Answers Branches) {
    for (auto [Id, Answer] : Asked.Branches)
      Branches[Id] = Answer;
    // Where an answer leads to no end there is no upper bound to be found.
    if (full() || Seen.Unanswered || !Tried.insert(Branches).second)
      return;
    ++Seen.Evaluations;
    Question Next = Asked;
    Next.Branches = Branches;
    evaluate(Next);
  }

  /// All runs, with sizes from data as small and as large as they can be: no way depends on them.
  /// False where that cannot be told.
  bool explore(Question Next, const RunLimits &Limits) {
    if (SizesVary)
      Next.SizesFromData = Question::Sizes::Greatest;
    follow(Next, Limits);
    if (SizesVary && Followed && Followed->Complete) {
      const AllRuns Greatest = std::move(*Followed);
      Next.SizesFromData = Question::Sizes::Least;
      follow(Next, Limits);
      if (Followed && Followed->Complete) {
        const AllRuns Least = std::exchange(*Followed, Greatest);
        Followed->Lower = Least.Lower;
        Followed->Alike = Greatest.Alike && Least.Alike && Least.Lower == Greatest.Upper;
      }
    }
    return Followed.has_value();
  }

private:
  void follow(const Question &Next, const RunLimits &Limits) {
    Followed = Evaluate.explore(Next, Limits);
    if (!Followed)
      return;
    Highest = std::max(Highest, Followed->Highest);
    Seen.FloatEvents |= Followed->FloatEvents;
    Seen.AsksOrders |= Followed->AsksOrders;
    Seen.AsksDistances |= Followed->AsksDistances;
  }

  /// The peak of one way to answer, with the least and the greatest sizes that data can make.
  void evaluate(Question Next) {
    Next.MostWork = workOfTrial(Proposed);
    if (SizesVary)
      Next.SizesFromData = Question::Sizes::Greatest;
    Result<Footprint> Answer = Evaluate.evaluate(Next);
    if (!Answer || Answer->Outcome == Footprint::Status::Limit || Answer->Outcome == Footprint::Status::Error) {
      Seen.Unanswered = true;
      return;
    }
    if (Answer->Outcome == Footprint::Status::Throws &&
        (Answer->Reason == MEMSHAPE_SK_CAUGHT || Answer->Reason == MEMSHAPE_SK_WAITS)) {
      Seen.Unanswered = true; // the call does return, on a way that is not followed
      return;
    }
    if (Answer->Outcome == Footprint::Status::Throws)
      return; // no return, so no peak of a call that returns
    see(*Answer);
    if (Answer->Peak + Answer->Above > Seen.Upper) {
      Seen.Upper = Answer->Peak + Answer->Above;
      AtUpper = Next.Branches;
    }
    if (SizesVary) {
      Next.SizesFromData = Question::Sizes::Least;
      Answer = Evaluate.evaluate(Next);
      if (!Answer || Answer->Outcome != Footprint::Status::Ok) {
        Seen.Unanswered = true;
        Seen.Lower = 0;
        return;
      }
    }
    Seen.Lower = std::min(Seen.Lower, Answer->Peak - Answer->Below);
  }

  /// Where the proposals came to one answer for each decision, these answers were tried.
  void keepProposed() {
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
  void see(const Footprint &F) {
    Seen.OrderMatters |= F.Varies || F.Above || F.Below;
    Seen.LargestTeam = std::max(Seen.LargestTeam, F.Teams.Largest);
    Seen.UnknownMet.insert(F.UnknownMet.begin(), F.UnknownMet.end());
    Seen.ThreadStarted |= F.ThreadStarted;
    Seen.FloatEvents |= F.FloatEvents;
    for (const std::uint32_t Block : F.Compared)
      (Block ? Seen.AsksOrders : Seen.AsksDistances) = true;
    Seen.Endless.insert(F.Endless.begin(), F.Endless.end());
    Seen.Resized.insert(F.Resized.begin(), F.Resized.end());
    Seen.Wraps.insert(F.Wraps.begin(), F.Wraps.end());
    for (const DecisionUse &Use : F.Decisions) {
      QuestionsAsked += Use.Asked;
      if (Use.Id >= S.Decisions.size())
        continue;
      if (S.Decisions[Use.Id].IsValue)
        Seen.Values.insert(Use.Id);
      else if (!Asked.Branches.contains(Use.Id)) {
        if (Use.Asked > 1)
          Seen.Repeated.insert(Use.Id);
        Seen.Branches.emplace(Use.Id, Use.Ones * 2 > Use.Asked ? 1 : 0);
      } else
        Seen.Assumed = true;
    }
  }

  Evaluator &Evaluate;
  bool SizesVary = false; ///< the skeleton knows bounds of sizes from data, and which they are is not given
  unsigned Most = MaxEvaluations;
  std::uint64_t QuestionsAsked = 0;
  std::set<Answers> Tried;
};

/// A way of trying answers. True where it leaves nothing for the next one to try.
using Strategy = bool (*)(Trials &);

/// Every run, where they are few enough: bounds that are proven, and reached.
bool followAll(Trials &T) {
  const Footprint &Proposed = T.Proposed;
  Evidence &Seen = T.Seen;
  const bool CallsLibraries = std::any_of(T.S.Unknown.begin(), T.S.Unknown.end(), [](const UnknownCall &Call) {
    return !Call.Dropped && Call.Reason != CallReason::AsksForSize;
  });
  if (Seen.OrderMatters || Seen.ThreadStarted || !Seen.UnknownMet.empty() || CallsLibraries || T.S.Replayed ||
      !std::all_of(Seen.Values.begin(), Seen.Values.end(),
                   [&](std::uint32_t Id) { return isBounded(T.S, T.Asked, Id); }))
    return false;
  // Where each is asked once, all ways of answering are few; and one run takes as long as all of them may.
  if (Seen.Repeated.empty() &&
      Proposed.WorkMicroseconds > std::uint64_t(std::chrono::microseconds(2 * FollowedAtMost.Time).count()))
    return false;
  if (!T.explore(T.Asked, FollowedAtMost))
    return false;
  const AllRuns &All = *T.Followed;
  if (!All.Complete) {
    Seen.Notes.push_back(note(NoteCode::not_all_followed, {All.Why}));
    return false;
  }
  Seen.Lower = std::min(All.Lower, Proposed.Peak);
  Seen.Upper = std::max(All.Upper, Proposed.Peak);
  Seen.Evaluations += static_cast<unsigned>(All.States);
  Seen.Alike = All.Alike && All.Total == Proposed.Total && All.Allocations == Proposed.Allocations &&
               All.Reallocations == Proposed.Reallocations && All.Output == Proposed.Output;
  return true;
}

/// The decision that was asked in most states, of those that are answered freely.
std::optional<std::uint32_t> busiest(const Trials &T, const std::set<std::uint32_t> &Fixed) {
  std::uint64_t States = 0;
  std::optional<std::uint32_t> Busiest;
  for (auto [Id, Count] : T.Followed->StatesOf)
    if (Count > States && !T.Asked.Branches.contains(Id) && !Fixed.contains(Id)) {
      States = Count;
      Busiest = Id;
    }
  return Busiest;
}

/// Ways of answering Decisions alike each time, a bit each: all yes, all no, and each of them apart from the others.
std::vector<std::uint32_t> masksOf(std::size_t Decisions) {
  const std::uint32_t Ones = (1u << Decisions) - 1;
  std::vector<std::uint32_t> Masks = {Ones, 0};
  for (std::uint32_t Bit = 1; Bit < Ones; Bit <<= 1) {
    Masks.push_back(Bit);
    if (Decisions > 2)
      Masks.push_back(Ones ^ Bit);
  }
  return Masks;
}

/// Every run in which the busiest decisions, those in loops over data, are answered alike each time.
bool followMost(Trials &T) {
  std::set<std::uint32_t> Fixed;
  while (T.Followed && T.Followed->TooMany && Fixed.size() < MostFixed) {
    const std::optional<std::uint32_t> Busiest = busiest(T, Fixed);
    if (!Busiest)
      return false;
    Fixed.insert(*Busiest);
    std::uint64_t Lower = T.Proposed.Peak, Upper = T.Proposed.Peak;
    for (std::uint32_t Mask : masksOf(Fixed.size())) {
      Question Next = T.Asked;
      std::uint32_t Bit = 0;
      for (std::uint32_t Id : Fixed)
        Next.Branches[Id] = Mask >> Bit++ & 1;
      if (!T.explore(Next, FollowedAlike))
        return false;
      // A loop that goes on and on tells at once.
      if (!T.Followed->Complete)
        break;
      Lower = std::min(Lower, T.Followed->Lower);
      Upper = std::max(Upper, T.Followed->Upper);
    }
    if (!T.Followed->Complete)
      continue;
    T.Seen.Lower = std::min(T.Seen.Lower, Lower);
    T.Seen.Upper = std::max(T.Seen.Upper, Upper);
    T.Seen.Repeated.insert(Fixed.begin(), Fixed.end());
    std::string Places;
    for (std::uint32_t Id : Fixed)
      if (Id < T.S.Decisions.size())
        Places += (Places.empty() ? "" : ", ") + placeOf(T.S.Decisions[Id].Place);
    T.Seen.Notes.push_back(note(NoteCode::followed_most, {Places}));
    return true;
  }
  return false;
}

/// The proposals came to the same answer each time.
bool proposedAlways(const Trials &T, std::uint32_t Answer) {
  const std::vector<SkeletonDecision> &Decisions = T.S.Decisions;
  return T.Asked.Branches.empty() &&
         std::all_of(T.Proposed.Decisions.begin(), T.Proposed.Decisions.end(), [&](const DecisionUse &Use) {
           return Use.Id < Decisions.size() && (Decisions[Use.Id].IsValue || Use.Ones == Answer * Use.Asked);
         });
}

/// All decisions with one answer.
bool answerAlike(Trials &T) {
  for (std::uint32_t Answer : {0u, 1u}) {
    if (proposedAlways(T, Answer))
      continue;
    Answers Same;
    for (std::uint32_t Id = 0; Id < T.S.Decisions.size(); ++Id)
      if (!T.S.Decisions[Id].IsValue)
        Same[Id] = Answer;
    T.attempt(std::move(Same));
  }
  return false;
}

/// All combinations of answers, where they are few.
void combineAll(Trials &T, const std::vector<std::uint32_t> &Ids) {
  for (unsigned Mask = 0; Mask < 1u << Ids.size(); ++Mask) {
    Answers Combination;
    for (std::size_t I = 0; I < Ids.size(); ++I)
      Combination[Ids[I]] = Mask >> I & 1;
    T.attempt(std::move(Combination));
  }
}

/// Some answers matter only together with others: draws lead past peaks that no single answer raises.
void draw(Trials &T, const std::vector<std::uint32_t> &Ids, std::mt19937 &Random) {
  for (unsigned Draw = 0; Draw < Draws && !T.full(); ++Draw) {
    Answers Drawn;
    for (std::uint32_t Id : Ids)
      Drawn[Id] = Random() & 1;
    T.attempt(std::move(Drawn));
  }
}

/// From the highest peak so far, flips one more answer as long as that helps.
void climb(Trials &T, const std::vector<std::uint32_t> &Ids) {
  for (bool Risen = true; Risen && !T.full();) {
    const std::uint64_t Before = T.Seen.Upper;
    for (std::uint32_t Id : Ids) {
      Answers Next = T.AtUpper;
      auto [Place, New] = Next.emplace(Id, 1 - T.Seen.Branches[Id]);
      if (!New)
        Place->second = Place->second ? 0 : 1;
      T.attempt(std::move(Next));
    }
    Risen = T.Seen.Upper > Before;
  }
}

/// Each answer flipped by itself, then together with others.
bool flip(Trials &T) {
  std::mt19937 Random{20}; // alike in every prediction
  // Every answer may bring decisions into sight that nobody asked for before.
  for (std::size_t Known = 0; Known < T.Seen.Branches.size() && !T.full();) {
    Known = T.Seen.Branches.size();
    for (auto [Id, Answer] : Answers(T.Seen.Branches))
      T.attempt({{Id, 1 - Answer}});
    std::vector<std::uint32_t> Ids;
    for (auto [Id, Answer] : T.Seen.Branches)
      Ids.push_back(Id);
    if (Ids.size() <= MaxExhaustive) {
      combineAll(T, Ids);
      continue;
    }
    T.Seen.Partial = true;
    draw(T, Ids, Random);
    climb(T, Ids);
  }
  return false;
}

/// Data may answer differently each time that a decision is asked: patterns, for all such decisions and for each.
void varyInLoops(Trials &T) {
  const Answers Start = T.AtUpper;
  for (std::uint32_t Pattern = FirstPattern; Pattern <= LastPattern && !T.Seen.Repeated.empty(); ++Pattern) {
    if (T.enoughPatterns())
      return;
    Answers All = Start;
    for (std::uint32_t Id : T.Seen.Repeated)
      All[Id] = Pattern;
    T.attempt(std::move(All));
  }
  for (std::uint32_t Id : std::set<std::uint32_t>(T.Seen.Repeated))
    for (std::uint32_t Pattern = FirstPattern; Pattern <= LastPattern && T.Seen.Repeated.size() > 1; ++Pattern) {
      Answers One = Start;
      One[Id] = Pattern;
      T.attempt(std::move(One));
    }
}

/// In turn, where not all runs could be followed. Decisions in loops are answered alike in every iteration.
constexpr Strategy Uniform[] = {followMost, answerAlike, flip};

} // namespace

Evidence evidenceOf(const Skeleton &S, const Question &Asked, const Footprint &Proposed, Evaluator &Evaluate) {
  Trials T(S, Asked, Proposed, Evaluate);
  Evidence &Seen = T.Seen;
  if (Seen.Branches.empty() || followAll(T)) {
    Seen.Covered = true;
    return std::move(Seen);
  }
  for (const Strategy Try : Uniform)
    if (Try(T))
      break;
  // Where answers that change from iteration to iteration lead higher than those that stay alike, others may lead
  // higher still.
  const std::uint64_t OfUniform = Seen.Upper;
  Seen.Cut = T.full();
  T.allowMore(MaxPatterns);
  varyInLoops(T);
  Seen.Upper = std::max(Seen.Upper, T.Highest);
  Seen.Mixed = (Seen.Upper > OfUniform && !Seen.Repeated.empty()) || (T.Followed && Seen.Partial);
  Seen.Covered = !Seen.Cut && !Seen.Partial && !Seen.Unanswered && Seen.Repeated.empty();
  return std::move(Seen);
}

} // namespace memshape
