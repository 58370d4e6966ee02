// The least cost on any levels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/LevelTable.h"

#include <algorithm>
#include <limits>

namespace memshape::checkpointing {

static constexpr double Never = std::numeric_limits<double>::infinity();

/// Lengths that are filled at a time. For as many, most cuts are into parts that are all shorter: those come first, for
/// each combination while its rows are in the processor's cache.
static constexpr std::int64_t Together = 16;

/// As many states as there are steps can be stored at once.
static bool isNeverFull(const Chain &C, const Level &L) { return L.slots >= C.steps; }

/// Of numbers of free slots.
static double combinations(const Chain &C) {
  double Combinations = 1;
  for (const Level &L : C.levels)
    Combinations *= isNeverFull(C, L) ? 1 : double(L.slots + 1);
  return Combinations;
}

double LevelTable::work(const Chain &C) {
  return double(C.steps) * double(C.steps) / 2 * combinations(C) * double(C.levels.size());
}

double LevelTable::bytes(const Chain &C) {
  return double(C.steps + Together) * combinations(C) * double(C.levels.size() + 1) * double(sizeof(double));
}

LevelTable::LevelTable(const Chain &C) : Of(C), Row(std::size_t(C.steps + Together)) {
  for (const Level &L : C.levels) {
    const bool Endless = isNeverFull(C, L);
    Dimensions.push_back({L.slots, Endless ? 0 : Combinations});
    if (!Endless) {
      Full += Combinations * std::size_t(L.slots);
      Combinations *= std::size_t(L.slots) + 1;
    }
  }
  for (std::size_t Free = 0; Free != Combinations; ++Free)
    for (const Dimension &D : Dimensions) {
      const std::size_t Slots = std::size_t(D.Slots), Left = D.Stride == 0 ? 0 : Free / D.Stride % (Slots + 1);
      Occupied.push_back({D.Stride == 0 || Left != 0, D.Stride == 0 || Left != Slots});
    }
  Open.assign(Combinations * Row, Never);
  Front.assign(Combinations * C.levels.size() * Row, Never);
  fill();
}

double LevelTable::kept(std::int64_t Steps, std::size_t Free, std::size_t At) const {
  if (Steps == 1)
    return Of.forward + Of.backward;
  const std::int64_t Cut = cut(Steps, Free, At);
  return Of.levels[At].read + (front(Free, At)[Cut] + open(Free)[Steps - Cut]);
}

/// Steps in front of the state to which a kept chain runs first.
std::int64_t LevelTable::cut(std::int64_t Steps, std::size_t Free, std::size_t At) const {
  const double *InFront = front(Free, At), *Behind = open(Free);
  std::int64_t Best = 1;
  for (std::int64_t Tried = 2; Tried < Steps; ++Tried)
    if (InFront[Tried] + Behind[Steps - Tried] < InFront[Best] + Behind[Steps - Best])
      Best = Tried;
  return Best;
}

/// The level in which an open chain of more than one step stores its initial state; that of none where all are full.
std::size_t LevelTable::levelToStoreIn(std::int64_t Steps, std::size_t Free) const {
  std::size_t Best = Of.levels.size();
  double Least = Never;
  for (std::size_t At = 0; At != Of.levels.size(); ++At)
    if (hasFree(Free, At))
      if (const double Cost = Of.levels[At].write + kept(Steps, Free - Dimensions[At].Stride, At); Cost < Least) {
        Least = Cost;
        Best = At;
      }
  return Best;
}

/// Least, of the lengths from First on: cuts into parts that are shorter than that. Behind: of First steps.
static void tryCuts(std::int64_t First, const double *InFront, const double *Behind, double *Least) {
  double Found[Together];
  std::copy(Least, Least + Together, Found);
  for (std::int64_t Cut = 1; Cut < First; ++Cut)
    for (std::int64_t More = 0; More != Together; ++More) {
      const double Cost = InFront[Cut] + Behind[More - Cut];
      Found[More] = Cost < Found[More] ? Cost : Found[More];
    }
  std::copy(Found, Found + Together, Least);
}

/// Cuts[I * Together + M]: of a kept chain of First + M steps, without its restore, the least of the cuts tried so far.
void LevelTable::fill() {
  std::vector<double> Cuts(Occupied.size() * Together), Kept(Occupied.size(), Never);
  for (std::int64_t First = 1; First <= Of.steps; First += Together) {
    const std::int64_t End = std::min(First + Together, Of.steps + 1);
    std::fill(Cuts.begin(), Cuts.end(), Never);
    forTaken([&](std::size_t I, std::size_t Free, std::size_t At) {
      // What longer chains cost is Never yet.
      tryCuts(First, front(Free, At), open(Free) + First, &Cuts[I * Together]);
    });
    for (std::int64_t Steps = First; Steps != End; ++Steps) {
      const std::int64_t More = Steps - First;
      forTaken([&](std::size_t I, std::size_t, std::size_t At) {
        Kept[I] = Steps == 1 ? Of.forward + Of.backward : Of.levels[At].read + Cuts[I * Together + std::size_t(More)];
      });
      fillLength(Steps, Kept);
      forTaken([&](std::size_t I, std::size_t Free, std::size_t At) {
        double *Least = &Cuts[I * Together];
        const double *InFront = front(Free, At), *Behind = open(Free);
        for (std::int64_t Next = More + 1; Next != Together; ++Next) {
          const double A = InFront[Steps] + Behind[Next - More], B = InFront[Next - More] + Behind[Steps];
          const double Less = A < B ? A : B;
          Least[Next] = Less < Least[Next] ? Less : Least[Next];
        }
      });
    }
  }
}

/// From the costs of kept chains of that length.
void LevelTable::fillLength(std::int64_t Steps, const std::vector<double> &Kept) {
  const std::size_t Levels = Of.levels.size();
  for (std::size_t Free = 0; Free != Combinations; ++Free) {
    double &Cost = open(Free)[Steps];
    if (Steps == 1)
      Cost = Of.forward + Of.backward;
    else
      for (std::size_t At = 0; At != Levels; ++At)
        if (hasFree(Free, At))
          Cost = std::min(Cost, Of.levels[At].write + Kept[(Free - Dimensions[At].Stride) * Levels + At]);
  }
  forTaken([&](std::size_t I, std::size_t Free, std::size_t At) {
    front(Free, At)[Steps] = double(Steps) * Of.forward + std::min(Kept[I], open(Free + Dimensions[At].Stride)[Steps]);
  });
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
      Into.push_back({Do::backward, P.Begin, 0, 0});
      return;
    }
    const std::size_t At = levelToStoreIn(P.Steps, P.Free);
    Into.push_back({Do::store, P.Begin, 0, At});
    Pending.push_back({Part::IsKept, P.Begin, P.Steps, P.Free - Dimensions[At].Stride, At});
    return;
  }
  case Part::IsKept: {
    if (P.Steps == 1) {
      Into.push_back({Do::discard, P.Begin, 0, P.At});
      Into.push_back({Do::backward, P.Begin, 0, 0});
      return;
    }
    const std::int64_t InFront = cut(P.Steps, P.Free, P.At);
    Into.push_back({Do::forward, P.Begin, P.Begin + InFront, 0});
    Pending.push_back({Part::Returns, P.Begin, InFront, P.Free, P.At});
    Pending.push_back({Part::IsOpen, P.Begin + InFront, P.Steps - InFront, P.Free});
    return;
  }
  case Part::Returns:
    Into.push_back({Do::restore, P.Begin, 0, P.At});
    if (const std::size_t Freed = P.Free + Dimensions[P.At].Stride;
        open(Freed)[P.Steps] < kept(P.Steps, P.Free, P.At)) {
      Into.push_back({Do::discard, P.Begin, 0, P.At});
      Pending.push_back({Part::IsOpen, P.Begin, P.Steps, Freed});
    } else {
      Pending.push_back({Part::IsKept, P.Begin, P.Steps, P.Free, P.At});
    }
    return;
  }
}

std::vector<Action> LevelTable::actions() const {
  std::vector<Action> Written;
  std::vector<Part> Pending = {{Part::IsOpen, 0, Of.steps, Full}};
  while (!Pending.empty()) {
    const Part Next = Pending.back();
    Pending.pop_back();
    write(Next, Pending, Written);
  }
  return Written;
}

} // namespace memshape::checkpointing
