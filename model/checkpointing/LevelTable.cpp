//===- LevelTable.cpp - The least cost on any levels --------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/checkpointing/LevelTable.h"

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
  Kept.assign(Combinations * C.Levels.size() * Row, Never);
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

double LevelTable::alone(std::int64_t Steps, double Regain) const {
  const double N = double(Steps);
  return N * (N - 1) / 2 * Of.Forward + N * (Of.Forward + Of.Backward) + (N - 1) * Regain;
}

LevelTable::Cut LevelTable::cutAt(std::int64_t Steps, std::size_t Free, std::size_t At, std::int64_t Front) const {
  const double There = double(Front) * Of.Forward, Read = Of.Levels[At].Read;
  const double Stored = open(Steps - Front, Free), Alone = alone(Steps - Front, Read + There);
  const double Stays = kept(Front, Free, At), Opens = open(Front, Free + Dimensions[At].Stride);
  return {There + std::min(Stored, Alone) + Read + std::min(Stays, Opens), Front, Alone < Stored, Opens < Stays};
}

LevelTable::Cut LevelTable::best(std::int64_t Steps, std::size_t Free, std::size_t At) const {
  Cut Best = {Never, 0, false, false};
  for (std::int64_t Front = 1; Front < Steps; ++Front)
    if (const Cut Tried = cutAt(Steps, Free, At, Front); Tried.Cost < Best.Cost)
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

void LevelTable::fill() {
  const std::size_t Levels = Of.Levels.size();
  for (std::int64_t Steps = 1; Steps <= Of.Steps; ++Steps) {
    for (std::size_t Free = 0; Free != Combinations; ++Free)
      for (std::size_t At = 0; At != Levels; ++At)
        if (hasTaken(Free, At))
          Kept[(Free * Levels + At) * Row + std::size_t(Steps)] =
              Steps == 1 ? Of.Forward + Of.Backward : best(Steps, Free, At).Cost;
    for (std::size_t Free = 0; Free != Combinations; ++Free) {
      double &Cost = Open[Free * Row + std::size_t(Steps)];
      if (Steps == 1)
        Cost = Of.Forward + Of.Backward;
      else if (const std::size_t At = levelToStoreIn(Steps, Free); At != Levels)
        Cost = Of.Levels[At].Write + kept(Steps, Free - Dimensions[At].Stride, At);
    }
  }
}

/// The chain from state Begin, while actions are written.
struct LevelTable::Part {
  enum { IsOpen, IsKept, Returns, IsAlone } What;
  std::int64_t Begin, Steps;
  std::size_t Free;
  std::size_t At = 0;      ///< where its state is, or that of From
  bool FrontOpens = false; ///< of Returns
  std::int64_t From = 0;   ///< of IsAlone: the stored state that each step starts from
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
    const Cut C = best(P.Steps, P.Free, P.At);
    const std::int64_t Behind = P.Begin + C.Front;
    Into.push_back({Do::Forward, P.Begin, Behind, 0});
    Pending.push_back({Part::Returns, P.Begin, C.Front, P.Free, P.At, C.FrontOpens});
    if (C.BehindFromFront)
      Pending.push_back({Part::IsAlone, Behind, P.Steps - C.Front, P.Free, P.At, false, P.Begin});
    else
      Pending.push_back({Part::IsOpen, Behind, P.Steps - C.Front, P.Free});
    return;
  }
  case Part::Returns:
    Into.push_back({Do::Restore, P.Begin, 0, P.At});
    if (P.FrontOpens) {
      Into.push_back({Do::Discard, P.Begin, 0, P.At});
      Pending.push_back({Part::IsOpen, P.Begin, P.Steps, P.Free + Dimensions[P.At].Stride});
    } else {
      Pending.push_back({Part::IsKept, P.Begin, P.Steps, P.Free, P.At});
    }
    return;
  case Part::IsAlone:
    for (std::int64_t State = P.Begin + P.Steps - 1, Current = P.Begin; State >= P.Begin; --State) {
      if (State != Current)
        Into.push_back({Do::Forward, Current, State, 0});
      Into.push_back({Do::Backward, State, 0, 0});
      if (State != P.Begin)
        Into.push_back({Do::Restore, Current = P.From, 0, P.At});
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
