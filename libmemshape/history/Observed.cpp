// Answers to decisions that a run has shown.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/Observed.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace memshape {

namespace {

/// Moments of the call that are compared with the observed one.
constexpr std::uint32_t Steps = 1024;
/// Most decisions whose answers are changed, and most evaluations for one decision and place.
constexpr std::size_t MostChanged = 4, MostTries = 80;
/// Larger numbers from data are not searched.
constexpr std::uint64_t MostValue = std::uint64_t(1) << 40;

/// Searches the answers of one call.
class Search {
public:
  Search(const Skeleton &S, const HeldByPlace &Seen, Evaluator &Evaluate, const std::function<bool()> &Enough)
      : S(S), Evaluate(Evaluate), Enough(Enough) {
    for (const SkeletonSite &Site : S.Sites)
      PlaceOf.push_back(placeOf(Site.Place));
    // Memory that belongs to no site of the skeleton is not the operator's own.
    for (const auto &[Place, Bytes] : Seen)
      if (Bytes > 0 && std::find(PlaceOf.begin(), PlaceOf.end(), Place) != PlaceOf.end())
        this->Seen[Place] = Bytes;
  }

  std::optional<Explanation> run(Question Asked);

private:
  /// How well a footprint explains the observation: the number of places that hold the observed bytes at one moment,
  /// and of those that hold them at some time.
  struct Fit {
    std::size_t AtOnce = 0, Ever = 0;
    bool Whole = false;
    auto key() const { return std::tuple(Whole, AtOnce, Ever); }
  };

  static AllocatingPlace placeOf(const SourcePlace &Place) { return {Place.File, Place.Line, Place.Column}; }
  HeldByPlace heldAt(const LiveStep &Step) const;
  Fit fitOf(const Footprint &F) const;
  std::int64_t mostOf(const Footprint &F, const AllocatingPlace &Place) const;
  std::optional<Footprint> ask(const Question &Asked);
  std::optional<Explanation> solve(const Question &From, const DecisionUse &Use, const AllocatingPlace &Place);

  const Skeleton &S;
  Evaluator &Evaluate;
  const std::function<bool()> &Enough;
  std::vector<AllocatingPlace> PlaceOf; ///< by site
  HeldByPlace Seen;
};

HeldByPlace Search::heldAt(const LiveStep &Step) const {
  HeldByPlace Held;
  for (const auto &[Site, Bytes] : Step.Held)
    if (Site >= 0 && static_cast<std::size_t>(Site) < PlaceOf.size() && Bytes > 0)
      Held[PlaceOf[static_cast<std::size_t>(Site)]] += Bytes;
  return Held;
}

Search::Fit Search::fitOf(const Footprint &F) const {
  Fit Best;
  for (const auto &[Place, Bytes] : Seen)
    Best.Ever += mostOf(F, Place) >= Bytes;
  for (const LiveStep &Step : F.Steps) {
    HeldByPlace Held = heldAt(Step);
    std::size_t Equal = 0;
    for (const auto &[Place, Bytes] : Seen)
      if (auto Found = Held.find(Place); Found != Held.end() && Found->second == Bytes)
        ++Equal;
    // The same bytes are held there, and nothing else.
    Best.Whole |= Equal == Seen.size() && Held.size() == Seen.size();
    Best.AtOnce = std::max(Best.AtOnce, Equal);
  }
  // Of a long call only some moments are known, so it suffices that it can hold the bytes.
  if (F.EventsPerStep > 1)
    Best.Whole |= Best.Ever == Seen.size();
  return Best;
}

std::int64_t Search::mostOf(const Footprint &F, const AllocatingPlace &Place) const {
  std::int64_t Most = 0;
  for (const LiveStep &Step : F.Steps) {
    std::int64_t Here = 0;
    for (const auto &[Site, Bytes] : Step.Held)
      if (Site >= 0 && static_cast<std::size_t>(Site) < PlaceOf.size() &&
          PlaceOf[static_cast<std::size_t>(Site)] == Place)
        Here += Bytes;
    Most = std::max(Most, Here);
  }
  return Most;
}

std::optional<Footprint> Search::ask(const Question &Asked) {
  if (Enough())
    return std::nullopt;
  Result<Footprint> Answer = Evaluate.evaluate(Asked);
  if (!Answer || Answer->Outcome != Footprint::Status::Ok)
    return std::nullopt;
  return std::move(*Answer);
}

/// Another answer to one decision, with which Place holds the observed bytes: how often a branch is taken, or a number.
/// Memory is monotonic in it. The search interpolates between two numbers on both sides first, then bisects.
std::optional<Explanation> Search::solve(const Question &From, const DecisionUse &Use, const AllocatingPlace &Place) {
  const bool IsValue = Use.Id < S.Decisions.size() && S.Decisions[Use.Id].IsValue;
  const std::int64_t Wanted = Seen.at(Place);
  Explanation Found{From, {}, true};
  auto At = [&](std::uint64_t Number) -> std::optional<std::int64_t> {
    if (IsValue)
      Found.Asked.Values[Use.Id] = Number;
    else {
      Found.Asked.Branches.erase(Use.Id);
      Found.Asked.Ones[Use.Id] = Number;
    }
    std::optional<Footprint> Answer = ask(Found.Asked);
    if (!Answer)
      return std::nullopt;
    Found.Heap = std::move(*Answer);
    return mostOf(Found.Heap, Place);
  };
  std::uint64_t Low = 0, High = IsValue ? 1 : std::max<std::uint64_t>(Use.Asked, 1);
  std::optional<std::int64_t> AtLow = At(Low);
  if (AtLow == Wanted)
    return Found;
  std::optional<std::int64_t> AtHigh = At(High);
  if (AtHigh == Wanted)
    return Found;
  // If taking the branch each time does not end, and for numbers: doubles until it suffices.
  if (!AtHigh || IsValue) {
    for (High = 1; High <= MostValue; High *= 2) {
      AtHigh = At(High);
      if (AtHigh == Wanted)
        return Found;
      if (!AtHigh || !AtLow || (*AtHigh > Wanted) != (*AtLow > Wanted) || (High > 4096 && *AtHigh == *AtLow))
        break;
      Low = High;
      AtLow = AtHigh;
    }
  }
  if (!AtLow || !AtHigh || (*AtLow > Wanted) == (*AtHigh > Wanted))
    return std::nullopt;
  for (std::size_t Try = 0; Try < MostTries && High - Low > 1; ++Try) {
    double Share = static_cast<double>(Wanted - *AtLow) / static_cast<double>(*AtHigh - *AtLow);
    std::uint64_t Middle = Try % 2 ? Low + (High - Low) / 2
                                   : Low + static_cast<std::uint64_t>(Share * static_cast<double>(High - Low) + 0.5);
    Middle = std::clamp(Middle, Low + 1, High - 1);
    std::optional<std::int64_t> Here = At(Middle);
    if (!Here)
      return std::nullopt;
    if (*Here == Wanted)
      return Found;
    ((*Here > Wanted) == (*AtLow > Wanted) ? Low : High) = Middle;
    ((*Here > Wanted) == (*AtLow > Wanted) ? AtLow : AtHigh) = Here;
  }
  // No number gives exactly these bytes: takes the side that holds at least as many.
  if (!At(*AtHigh > Wanted ? High : Low))
    return std::nullopt;
  return Found;
}

std::optional<Explanation> Search::run(Question Asked) {
  Asked.Steps = Steps;
  std::optional<Footprint> Heap = ask(Asked);
  if (!Heap || Heap->Threads)
    return std::nullopt;
  Explanation Best{std::move(Asked), std::move(*Heap), false};
  if (Seen.empty())
    return Best;
  std::set<std::uint32_t> Changed;
  for (std::size_t Round = 0; Round < MostChanged && !fitOf(Best.Heap).Whole; ++Round) {
    std::optional<Explanation> Better;
    std::uint32_t Last = 0;
    auto Known = fitOf(Best.Heap).key();
    const std::vector<DecisionUse> Uses = Best.Heap.Decisions;
    for (const DecisionUse &Use : Uses)
      for (const auto &[Place, Bytes] : Seen) {
        if (Changed.contains(Use.Id) || (Better && fitOf(Better->Heap).Whole))
          continue;
        std::optional<Explanation> Found = solve(Best.Asked, Use, Place);
        if (Found && fitOf(Found->Heap).key() > Known) {
          Known = fitOf(Found->Heap).key();
          Better = std::move(Found);
          Last = Use.Id;
        }
      }
    if (!Better)
      break;
    Best = std::move(*Better);
    Changed.insert(Last);
  }
  if (!fitOf(Best.Heap).Whole)
    return std::nullopt;
  return Best;
}

} // namespace

std::optional<Explanation> explain(const Skeleton &S, const Question &Asked, const HeldByPlace &Seen,
                                   Evaluator &Evaluate, const std::function<bool()> &Enough) {
  return Search(S, Seen, Evaluate, Enough).run(Asked);
}

} // namespace memshape
