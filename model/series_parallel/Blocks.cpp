// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/series_parallel/Blocks.h"

#include <algorithm>

namespace memshape::series_parallel {

Block joined(Sequences &In, const Block &Before, const Block &After) {
  const Bytes Up = std::max(Before.Up, Before.net() + After.Up);
  return {Up, Up - Before.net() - After.net(), In.joined(Before.Jobs, After.Jobs), Before.Presumes || After.Presumes};
}

void follow(Sequences &In, Chain &Before, const Chain &After) {
  for (const Block &Each : After) {
    Block Now = Each;
    for (; !Before.empty() && !(Before.back() < Now); Before.pop_back())
      Now = joined(In, Before.back(), Now);
    Before.push_back(Now);
  }
}

Chain beside(Sequences &In, Chain All) {
  std::stable_sort(All.begin(), All.end(), [](const Block &Left, const Block &Right) {
    return Left < Right || (!(Right < Left) && Left.Presumes < Right.Presumes);
  });
  Chain Joined;
  for (const Block &Each : All)
    if (Joined.empty() || Joined.back() < Each || Joined.back().Presumes != Each.Presumes)
      Joined.push_back(Each);
    else
      Joined.back() = joined(In, Joined.back(), Each);
  return Joined;
}

bool isBetter(const Chain &Left, const Chain &Right) {
  // Down to the least that is held: what needs less for its next fall, then what falls further.
  std::size_t I = 0;
  for (; I < Left.size() && I < Right.size() && Left[I].falls() && Right[I].falls(); ++I) {
    if (Left[I].Up != Right[I].Up)
      return Left[I].Up < Right[I].Up;
    if (Left[I].Down != Right[I].Down)
      return Left[I].Down > Right[I].Down;
  }
  const bool LeftFalls = I < Left.size() && Left[I].falls(), RightFalls = I < Right.size() && Right[I].falls();
  if (LeftFalls != RightFalls)
    return LeftFalls;
  // From the end backwards the same. Blocks that end where they begin need nothing where a higher one is left.
  const auto Before = [I](const Chain &Of, std::size_t &At) {
    while (At > I + 1 && Of[At - 1].net() == 0)
      --At;
    return At > I ? &Of[--At] : nullptr;
  };
  std::size_t J = Left.size(), K = Right.size();
  while (true) {
    const Block *L = Before(Left, J), *R = Before(Right, K);
    if (!L || !R)
      return R && !L;
    if (L->Down != R->Down)
      return L->Down < R->Down;
    if (L->Up != R->Up)
      return L->Up > R->Up;
  }
}

} // namespace memshape::series_parallel
