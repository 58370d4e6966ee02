//===- LevelTable.cpp - The least cost on any levels --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/checkpointing/LevelTable.h"

#include <algorithm>
#include <limits>

namespace memshape::checkpointing {

static constexpr double Never = std::numeric_limits<double>::infinity();

/// As many states as there are steps can be stored at once.
static bool isNeverFull(const Chain &C, const Level &L) { return L.Slots >= C.Steps; }

/// Of numbers of free slots.
static double combinations(const Chain &C) {
  double Combinations = 1;
  for (const Level &L : C.Levels)
    Combinations *= isNeverFull(C, L) ? 1 : double(L.Slots + 1);
  return Combinations;
}

double LevelTable::work(const Chain &C) {
  return double(C.Steps) * double(C.Steps) / 2 * combinations(C) * double(C.Levels.size());
}

double LevelTable::bytes(const Chain &C) {
  return double(C.Steps + 1) * combinations(C) * double(C.Levels.size() + 1) * sizeof(double);
}

LevelTable::LevelTable(const Chain &C) : Of(C), Row(std::size_t(C.Steps) + 1) {
  for (const Level &L : C.Levels) {
    const bool Endless = isNeverFull(C, L);
    Dimensions.push_back({L.Slots, Endless ? 0 : Combinations});
    if (!Endless) {
      Full += Combinations * std::size_t(L.Slots);
      Combinations *= std::size_t(L.Slots) + 1;
    }
  }
  Open.assign(Combinations * Row, Never);
  Front.assign(Combinations * C.Levels.size() * Row, Never);
  fill();
}

bool LevelTable::hasFree(std::size_t Free, std::size_t At) const {
  const Dimension &D = Dimensions[At];
  return D.Stride == 0 || Free / D.Stride % std::size_t(D.Slots + 1) != 0;
}

bool LevelTable::hasTaken(std::size_t Free, std::size_t At) const {
  const Dimension &D = Dimensions[At];
  return D.Stride == 0 || Free / D.Stride % std::size_t(D.Slots + 1) != std::size_t(D.Slots);
}

/// Of A[I] + B[I]. Eight at a time, which become vectors.
static double leastSum(const double *A, const double *B, std::size_t Count) {
  constexpr std::size_t Lanes = 8;
  double Least[Lanes];
  std::fill(Least, Least + Lanes, Never);
  std::size_t I = 0;
  for (; I + Lanes <= Count; I += Lanes)
    for (std::size_t Lane = 0; Lane != Lanes; ++Lane) {
      const double Sum = A[I + Lane] + B[I + Lane];
      Least[Lane] = Sum < Least[Lane] ? Sum : Least[Lane];
    }
  for (; I != Count; ++I)
    Least[0] = std::min(Least[0], A[I] + B[I]);
  return *std::min_element(Least, Least + Lanes);
}

double LevelTable::leastCut(std::int64_t Steps, std::size_t Free, std::size_t At, std::int64_t First,
                            std::int64_t End) const {
  return First < End ? leastSum(front(Free, At) + First, &open(Steps - First, Free), std::size_t(End - First)) : Never;
}

double LevelTable::kept(std::int64_t Steps, std::size_t Free, std::size_t At) const {
  return Steps == 1 ? Of.Forward + Of.Backward : Of.Levels[At].Read + leastCut(Steps, Free, At, 1, Steps);
}

/// Steps in front of the state to which a kept chain runs first.
std::int64_t LevelTable::cut(std::int64_t Steps, std::size_t Free, std::size_t At) const {
  const double *Costs = front(Free, At);
  std::int64_t Best = 1;
  for (std::int64_t Tried = 2; Tried < Steps; ++Tried)
    if (Costs[Tried] + open(Steps - Tried, Free) < Costs[Best] + open(Steps - Best, Free))
      Best = Tried;
  return Best;
}

/// The level in which an open chain of more than one step stores its initial state; that of none where all are full.
std::size_t LevelTable::levelToStoreIn(std::int64_t Steps, std::size_t Free) const {
  std::size_t Best = Of.Levels.size();
  double Least = Never;
  for (std::size_t At = 0; At != Of.Levels.size(); ++At)
    if (hasFree(Free, At))
      if (const double Cost = Of.Levels[At].Write + kept(Steps, Free - Dimensions[At].Stride, At); Cost < Least) {
        Least = Cost;
        Best = At;
      }
  return Best;
}

/// A few lengths at a time: cuts into parts that are all shorter than these come first, for each combination while its
/// rows are in the processor's cache.
void LevelTable::fill() {
  constexpr std::int64_t Together = 16;
  const std::size_t Levels = Of.Levels.size();
  std::vector<double> Known(Combinations * Levels * Together), Kept(Combinations * Levels, Never);
  for (std::int64_t First = 1; First <= Of.Steps; First += Together) {
    const std::int64_t Count = std::min(Together, Of.Steps - First + 1);
    for (std::size_t I = 0; I != Kept.size(); ++I)
      for (std::int64_t More = 0; More != Count; ++More)
        Known[I * Together + std::size_t(More)] = leastCut(First + More, I / Levels, I % Levels, More + 1, First);
    for (std::int64_t More = 0; More != Count; ++More) {
      const std::int64_t Steps = First + More;
      for (std::size_t I = 0; I != Kept.size(); ++I)
        if (const std::size_t Free = I / Levels, At = I % Levels; hasTaken(Free, At))
          Kept[I] = Steps == 1
                        ? Of.Forward + Of.Backward
                        : Of.Levels[At].Read +
                              std::min({Known[I * Together + std::size_t(More)], leastCut(Steps, Free, At, 1, More + 1),
                                        leastCut(Steps, Free, At, std::max(First, More + 1), Steps)});
      fillLength(Steps, Kept);
    }
  }
}

/// From the costs of kept chains of that length.
void LevelTable::fillLength(std::int64_t Steps, const std::vector<double> &Kept) {
  const std::size_t Levels = Of.Levels.size();
  for (std::size_t Free = 0; Free != Combinations; ++Free) {
    double &Cost = open(Steps, Free);
    if (Steps == 1)
      Cost = Of.Forward + Of.Backward;
    else
      for (std::size_t At = 0; At != Levels; ++At)
        if (hasFree(Free, At))
          Cost = std::min(Cost, Of.Levels[At].Write + Kept[(Free - Dimensions[At].Stride) * Levels + At]);
  }
  for (std::size_t Free = 0; Free != Combinations; ++Free)
    for (std::size_t At = 0; At != Levels; ++At)
      if (hasTaken(Free, At))
        front(Free, At)[Steps] =
            double(Steps) * Of.Forward + std::min(Kept[Free * Levels + At], open(Steps, Free + Dimensions[At].Stride));
}

/// The chain from state Begin, while actions are written.
struct LevelTable::Part {
  enum { IsOpen, IsKept, Returns } What;
  std::int64_t Begin, Steps;
  std::size_t Free;
  std::size_t At = 0; ///< where its state is
};

void LevelTable::write(const Part &P, std::vector<Part> &Pending, std::vector<Action> &Into) const {
  switch (P.What) {
  case Part::IsOpen: {
    if (P.Steps == 1) {
      Into.push_back({Do::Backward, P.Begin, 0, 0});
      return;
    }
    const std::size_t At = levelToStoreIn(P.Steps, P.Free);
    Into.push_back({Do::Store, P.Begin, 0, At});
    Pending.push_back({Part::IsKept, P.Begin, P.Steps, P.Free - Dimensions[At].Stride, At});
    return;
  }
  case Part::IsKept: {
    if (P.Steps == 1) {
      Into.push_back({Do::Discard, P.Begin, 0, P.At});
      Into.push_back({Do::Backward, P.Begin, 0, 0});
      return;
    }
    const std::int64_t InFront = cut(P.Steps, P.Free, P.At);
    Into.push_back({Do::Forward, P.Begin, P.Begin + InFront, 0});
    Pending.push_back({Part::Returns, P.Begin, InFront, P.Free, P.At});
    Pending.push_back({Part::IsOpen, P.Begin + InFront, P.Steps - InFront, P.Free});
    return;
  }
  case Part::Returns:
    Into.push_back({Do::Restore, P.Begin, 0, P.At});
    if (const std::size_t Freed = P.Free + Dimensions[P.At].Stride;
        open(P.Steps, Freed) < kept(P.Steps, P.Free, P.At)) {
      Into.push_back({Do::Discard, P.Begin, 0, P.At});
      Pending.push_back({Part::IsOpen, P.Begin, P.Steps, Freed});
    } else {
      Pending.push_back({Part::IsKept, P.Begin, P.Steps, P.Free, P.At});
    }
    return;
  }
}

std::vector<Action> LevelTable::actions() const {
  std::vector<Action> Written;
  std::vector<Part> Pending = {{Part::IsOpen, 0, Of.Steps, Full}};
  while (!Pending.empty()) {
    const Part Next = Pending.back();
    Pending.pop_back();
    write(Next, Pending, Written);
  }
  return Written;
}

} // namespace memshape::checkpointing
