// Steps that differ in bytes and time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/StepChain.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

namespace memshape::checkpointing {

namespace {

constexpr double Never = std::numeric_limits<double>::infinity();

/// least(Begin, End, Units): of the steps from Begin to End, whose first state is current, within so many units, that
/// state included. One step is reversed. Others store the state, run to a cut, reverse what lies behind, restore, and go
/// on with what lies in front.
class StepTable {
public:
  /// Sizes of Steps are units, of which there are Memory.
  StepTable(const std::vector<Step> &Steps, std::int64_t Memory)
      : Of(Steps), Count(Steps.size()), Row(std::size_t(Memory) + 1), Least(Count * Count * Row, Never) {
    for (std::size_t Length = 1; Length <= Count; ++Length)
      for (std::size_t Begin = 0; Begin + Length <= Count; ++Begin)
        Length == 1 ? fillOne(Begin) : fill(Begin, Begin + Length);
  }

  std::vector<Action> actions() const;

private:
  const double *row(std::size_t Begin, std::size_t End) const { return &Least[(Begin * Count + End - 1) * Row]; }
  double *row(std::size_t Begin, std::size_t End) { return &Least[(Begin * Count + End - 1) * Row]; }
  std::size_t stateUnits(std::size_t State) const { return std::size_t(Of[State].StateBytes); }

  void fillOne(std::size_t Begin) {
    double *Costs = row(Begin, Begin + 1);
    for (std::size_t Units = std::size_t(Of[Begin].BackwardBytes); Units < Row; ++Units)
      Costs[Units] = Of[Begin].Forward + Of[Begin].Backward;
  }

  /// Calls Each(cut, time to the cut, units that running there takes beside the stored state) for all cuts.
  template <class Callable> void forCuts(std::size_t Begin, std::size_t End, Callable Each) const {
    double Time = 0;
    std::int64_t Running = 0;
    for (std::size_t Cut = Begin + 1; Cut < End; ++Cut) {
      Time += Of[Cut - 1].Forward;
      Running = std::max(Running, Of[Cut - 1].ForwardBytes);
      Each(Cut, Time, std::size_t(Running));
    }
  }

  void fill(std::size_t Begin, std::size_t End) {
    double *Costs = row(Begin, End);
    const std::size_t Stored = stateUnits(Begin);
    forCuts(Begin, End, [&](std::size_t Cut, double Time, std::size_t Running) {
      const double *Behind = row(Cut, End), *Front = row(Begin, Cut);
      for (std::size_t Units = Stored + Running; Units < Row; ++Units)
        Costs[Units] = std::min(Costs[Units], Time + Behind[Units - Stored] + Front[Units]);
    });
  }

  std::size_t bestCut(std::size_t Begin, std::size_t End, std::size_t Units) const {
    std::size_t Best = Begin;
    double Found = Never;
    const std::size_t Stored = stateUnits(Begin);
    forCuts(Begin, End, [&](std::size_t Cut, double Time, std::size_t Running) {
      if (Units < Stored + Running)
        return;
      if (const double Cost = Time + row(Cut, End)[Units - Stored] + row(Begin, Cut)[Units]; Cost < Found) {
        Found = Cost;
        Best = Cut;
      }
    });
    return Best;
  }

  const std::vector<Step> &Of;
  std::size_t Count, Row;
  std::vector<double> Least;
};

std::vector<Action> StepTable::actions() const {
  struct Part {
    std::size_t Begin, End, Units;
    bool IsStored;
  };
  std::vector<Action> Written;
  std::vector<Part> Pending = {{0, Count, Row - 1, false}};
  while (!Pending.empty()) {
    const Part P = Pending.back();
    Pending.pop_back();
    const auto Begin = std::int64_t(P.Begin);
    if (P.IsStored)
      Written.push_back({Do::restore, Begin, 0, 0});
    if (P.End - P.Begin == 1) {
      if (P.IsStored)
        Written.push_back({Do::discard, Begin, 0, 0});
      Written.push_back({Do::backward, Begin, 0, 0});
      continue;
    }
    if (!P.IsStored)
      Written.push_back({Do::store, Begin, 0, 0});
    const std::size_t Cut = bestCut(P.Begin, P.End, P.Units);
    Written.push_back({Do::forward, Begin, std::int64_t(Cut), 0});
    Pending.push_back({P.Begin, Cut, P.Units, true});
    Pending.push_back({Cut, P.End, P.Units - stateUnits(P.Begin), false});
  }
  return Written;
}

/// Time, bytes and numbers of the actions of an answer.
void replay(const std::vector<Step> &Steps, StepReversal &Into) {
  std::set<std::int64_t> Held;
  std::int64_t HeldBytes = 0, Forward = 0;
  std::int64_t Most = 0;
  for (const Action &A : Into.actions) {
    const Step &S = Steps[std::size_t(A.from)];
    switch (A.kind) {
    case Do::store:
      Held.insert(A.from);
      HeldBytes += S.StateBytes;
      Into.peak_slots = std::max(Into.peak_slots, std::int64_t(Held.size()));
      break;
    case Do::discard:
      Held.erase(A.from);
      HeldBytes -= S.StateBytes;
      break;
    case Do::restore: break;
    case Do::forward:
      for (std::int64_t I = A.from; I != A.to; ++I) {
        Into.cost += Steps[std::size_t(I)].Forward;
        Most = std::max(Most, HeldBytes + Steps[std::size_t(I)].ForwardBytes);
      }
      Forward += A.to - A.from;
      break;
    case Do::backward:
      Into.cost += S.Forward + S.Backward;
      Most = std::max(Most, HeldBytes + S.BackwardBytes);
      break;
    case Do::tape:
    case Do::rewind: // tapes are not kept here
      break;
    }
    Most = std::max(Most, HeldBytes);
  }
  Into.peak_bytes = Most;
  Into.recomputed_steps = Forward - (std::int64_t(Steps.size()) - 1);
}

/// The largest size that divides all of those.
std::int64_t commonDivisor(const std::vector<Step> &Steps) {
  std::int64_t Divisor = 0;
  for (const Step &S : Steps)
    Divisor = std::gcd(Divisor, std::gcd(S.StateBytes, std::gcd(S.ForwardBytes, S.BackwardBytes)));
  return std::max<std::int64_t>(Divisor, 1);
}

/// State 0 is stored, all steps but the last run beside it, and all but the first are reversed beside it; other states
/// need not be stored.
std::uint64_t leastMemory(const std::vector<Step> &Steps) {
  std::int64_t Beside = 0;
  for (std::size_t I = 1; I < Steps.size(); ++I)
    Beside = std::max({Beside, Steps[I - 1].ForwardBytes, Steps[I].BackwardBytes});
  const std::uint64_t Stored = Steps.size() > 1 ? std::uint64_t(Steps[0].StateBytes) : 0;
  return std::max(Stored + std::uint64_t(Beside), std::uint64_t(Steps[0].BackwardBytes));
}

} // namespace

Outcome reverseSteps(const std::vector<Step> &Steps, std::int64_t Memory, StepReversal &Into) {
  const double L = double(Steps.size());
  const double Affordable = std::min(MostComparisons / (L * L * L / 6 + 1), MostBytes / (L * L * sizeof(double)));
  if (Affordable < 50)
    return Outcome::TooLarge;
  Into = {};
  Into.LeastMemory = leastMemory(Steps);
  if (Memory < 0 || std::uint64_t(Memory) < Into.LeastMemory)
    return Outcome::NoSlot;
  // What all steps together take is never exceeded.
  double Total = 0;
  for (const Step &S : Steps)
    Total += double(S.StateBytes) + double(std::max(S.ForwardBytes, S.BackwardBytes));
  if (Total < double(Memory))
    Memory = std::max(std::int64_t(Total), std::int64_t(Into.LeastMemory)); // the sum may have been rounded down
  // State 0 stays to the end, beside everything but the reversal of its own step.
  std::vector<Step> Rounded = Steps;
  if (Steps.size() > 1) {
    Memory -= Steps[0].StateBytes;
    Rounded[0].StateBytes = 0;
    Rounded[0].BackwardBytes = std::max<std::int64_t>(0, Steps[0].BackwardBytes - Steps[0].StateBytes);
  }
  const std::int64_t Divisor = commonDivisor(Steps);
  const std::int64_t Units = std::min(MostUnits, std::int64_t(Affordable));
  const bool IsLeast = Memory / Divisor <= Units;
  const std::int64_t Unit = IsLeast ? Divisor : Memory / Units + 1;
  const auto InUnits = [&](std::int64_t Size) {
    return std::min(Size / Unit + (Size % Unit != 0), Units + 1); // larger than all
  };
  // What is left of the last unit serves what runs, so that only stored states are rounded: what fits at all does.
  const std::int64_t Rest = Memory % Unit;
  for (Step &S : Rounded) {
    S.StateBytes = InUnits(S.StateBytes);
    for (std::int64_t *Size : {&S.ForwardBytes, &S.BackwardBytes})
      *Size = InUnits(std::max<std::int64_t>(0, *Size - Rest));
  }
  const StepTable Table(Rounded, Memory / Unit);
  Into.steps = std::int64_t(Steps.size());
  Into.actions = Table.actions();
  Into.optimal = IsLeast;
  replay(Steps, Into);
  Into.levels = {{"ram", Into.peak_slots, 0, 0}};
  return Outcome::Solved;
}

} // namespace memshape::checkpointing
