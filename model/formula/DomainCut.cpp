// Where does a proposal hold?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/formula/DomainCut.h"

#include <algorithm>

namespace memshape {

namespace {

/// A domain that keeps less than this share of the shapes at which the proposal holds is not worth a formula.
constexpr std::size_t KeptShareInverse = 6;

struct Cut {
  std::size_t Symbol = 0;
  Range Kept;
  std::size_t Removed = 0, Lost = 0;

  /// More wrong shapes removed for each right one lost.
  bool betterThan(const Cut &Other) const { return Removed * (Other.Lost + 1) > Other.Removed * (Lost + 1); }
};

std::vector<std::int64_t> sortedCoordinates(const std::vector<Shape> &Shapes, std::size_t Symbol) {
  std::vector<std::int64_t> Sorted;
  for (const Shape &At : Shapes)
    Sorted.push_back(At[Symbol]);
  std::sort(Sorted.begin(), Sorted.end());
  return Sorted;
}

std::size_t countOutside(const std::vector<std::int64_t> &Sorted, const Range &Kept) {
  auto Below = std::lower_bound(Sorted.begin(), Sorted.end(), Kept.Low) - Sorted.begin();
  auto Beyond = Sorted.end() - std::upper_bound(Sorted.begin(), Sorted.end(), Kept.High);
  return static_cast<std::size_t>(Below + Beyond);
}

void eraseOutside(std::vector<Shape> &Shapes, const Domain &Within) {
  std::erase_if(Shapes, [&](const Shape &S) { return !Within.contains(S); });
}

/// The coordinate nearest to Wrong at which the proposal still holds, between a wrong and a right coordinate of Symbol;
/// both faces move by halving.
std::int64_t lastHolding(Shape At, std::size_t Symbol, std::int64_t Wrong, std::int64_t Right,
                         const std::function<bool(const Shape &)> &HoldsAt) {
  while (Right - Wrong > 1 || Wrong - Right > 1) {
    std::int64_t Middle = Wrong + (Right - Wrong) / 2;
    At[Symbol] = Middle;
    (HoldsAt(At) ? Right : Wrong) = Middle;
  }
  return Right;
}

} // namespace

std::optional<Domain> cutDomain(const Domain &Whole, const std::vector<Shape> &AllRight,
                                const std::vector<Shape> &AllWrong, const Shape &Anchor,
                                const std::function<bool(const Shape &)> &HoldsAt) {
  Domain Kept = Whole;
  std::vector<Shape> Right = AllRight, Wrong = AllWrong;
  std::size_t Enough = AllRight.size() / KeptShareInverse;
  while (!Wrong.empty()) {
    std::optional<Cut> Best;
    for (std::size_t I = 0; I < Whole.Ranges.size(); ++I) {
      const std::vector<std::int64_t> WrongAt = sortedCoordinates(Wrong, I), RightAt = sortedCoordinates(Right, I);
      for (const Shape &W : Wrong)
        for (bool Below : {true, false}) {
          Cut Next{I, Kept.Ranges[I]};
          (Below ? Next.Kept.Low : Next.Kept.High) = Below ? W[I] + 1 : W[I] - 1;
          if (Next.Kept.Low > Next.Kept.High)
            continue;
          if (!Anchor.empty() && (Anchor[I] < Next.Kept.Low || Anchor[I] > Next.Kept.High))
            continue;
          Next.Removed = countOutside(WrongAt, Next.Kept);
          Next.Lost = countOutside(RightAt, Next.Kept);
          if (!Best || Next.betterThan(*Best))
            Best = Next;
        }
    }
    if (!Best)
      return std::nullopt;
    Kept.Ranges[Best->Symbol] = Best->Kept;
    eraseOutside(Wrong, Kept);
    eraseOutside(Right, Kept);
    if (Right.size() <= Enough)
      return std::nullopt;
  }
  // The faces lie beside wrong samples; the true ones may lie further in, between two samples.
  const Shape &Inside = Anchor.empty() ? Right.back() : Anchor;
  for (std::size_t I = 0; I < Kept.Ranges.size(); ++I) {
    Range &R = Kept.Ranges[I];
    const Range &Full = Whole.Ranges[I];
    if (R.Low > Full.Low)
      R.Low = lastHolding(Inside, I, R.Low - 1, Inside[I], HoldsAt);
    if (R.High < Full.High)
      R.High = lastHolding(Inside, I, R.High + 1, Inside[I], HoldsAt);
  }
  return Kept;
}

} // namespace memshape
