// Footprints at chosen shapes, each asked for once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/recovery/Sampler.h"

#include <algorithm>

namespace memshape {

bool Sampler::outOfTime() {
  Late = Late || Ends.passed();
  return Late;
}

std::optional<Outputs> Sampler::ask(const Shape &At) {
  if (outOfTime())
    return std::nullopt;
  return Evaluate(At);
}

void Sampler::prefetch(const std::vector<Shape> &Wanted) {
  if (!EvaluateAll)
    return;
  std::vector<Shape> Order;
  for (const Shape &At : Wanted)
    if (!Known.find(At))
      Order.push_back(At);
  std::sort(Order.begin(), Order.end());
  Order.erase(std::unique(Order.begin(), Order.end()), Order.end());
  for (std::size_t Done = 0; Done < Order.size() && !outOfTime();) {
    // No batch may take more than a fraction of the time that is left, as far as one can tell beforehand.
    const double Each = Asked ? Seconds / static_cast<double>(Asked) : 1e-3;
    const double Left = std::chrono::duration<double>(Ends.left()).count();
    auto Fits = static_cast<std::size_t>(std::clamp(Left / 4 / std::max(Each, 1e-9), 1.0, 1000.0));
    std::size_t Count = std::min(Order.size() - Done, Fits);
    std::vector<Shape> Part(Order.begin() + static_cast<std::ptrdiff_t>(Done),
                            Order.begin() + static_cast<std::ptrdiff_t>(Done + Count));
    std::vector<std::optional<Outputs>> Found = EvaluateAll(Part);
    Seconds += std::max(0.0, Left - std::chrono::duration<double>(Ends.left()).count());
    Asked += Count;
    for (std::size_t I = 0; I < Found.size() && I < Count; ++I)
      Known.add(Part[I], Answer{std::move(Found[I]), 0});
    if (Found.size() < Count)
      return;
    Done += Count;
  }
}

std::optional<std::int64_t> Sampler::operator()(const Shape &At, std::size_t Index) {
  constexpr std::chrono::nanoseconds Lookup{60};
  spend(Lookup);
  Answer *Place = Known.find(At);
  if (!Place)
    Place = &Known.add(At, Answer{ask(At), 0});
  Place->UsedBy = Search;
  const std::optional<Outputs> &Found = Place->Figures;
  if (!Found || Index >= Found->size())
    return std::nullopt;
  return (*Found)[Index];
}

std::int64_t ShapeSource::between(std::int64_t Low, std::int64_t High) {
  std::uint64_t Count = static_cast<std::uint64_t>(High) - static_cast<std::uint64_t>(Low) + 1;
  return Low + static_cast<std::int64_t>(Count ? Random() % Count : 0);
}

std::int64_t ShapeSource::logarithmic(const Range &Within) {
  std::int64_t High = Within.High, Span = High - Within.Low;
  for (std::uint64_t Halvings = Random() % 12; Halvings && Span > 3; --Halvings)
    Span /= 2;
  return between(Within.Low, Within.Low + Span);
}

std::int64_t ShapeSource::prime(const Range &Within) {
  static constexpr std::int64_t Primes[] = {2,   3,   5,   7,   11,  13,  17,  19,  23,  29,  31,  37,   41,   43,
                                            47,  53,  59,  61,  67,  71,  73,  79,  83,  89,  97,  101,  103,  107,
                                            113, 127, 131, 149, 163, 181, 199, 211, 241, 257, 293, 331,  367,  401,
                                            443, 487, 521, 577, 631, 691, 751, 811, 877, 941, 997, 1201, 1499, 1801};
  std::int64_t Chosen = Primes[Random() % std::size(Primes)];
  return Chosen >= Within.Low && Chosen <= Within.High ? Chosen : between(Within.Low, Within.High);
}

Shape ShapeSource::draw(const Domain &Within) {
  constexpr unsigned Kinds = 8;
  unsigned Kind = Turn++ % Kinds;
  Shape Drawn;
  std::uint64_t Common = Random();
  for (const Range &R : Within.Ranges) {
    std::int64_t Value = 0;
    switch (Kind) {
    case 0: { // cubic
      std::int64_t Low = R.Low, High = R.High;
      for (const Range &Other : Within.Ranges) {
        Low = std::max(Low, Other.Low);
        High = std::min(High, Other.High);
      }
      Value = Low <= High ? Low + static_cast<std::int64_t>(Common % static_cast<std::uint64_t>(High - Low + 1))
                          : between(R.Low, R.High);
      break;
    }
    case 1: // stretched
    case 2: Value = logarithmic(R); break;
    case 3: // odd
      Value = between(R.Low, R.High) | 1;
      break;
    case 4: Value = prime(R); break;
    case 5: // tiny
      Value = between(R.Low, R.Low + 2);
      break;
    case 6: // large
      Value = between(R.High - (R.High - R.Low) / 8, R.High);
      break;
    default: // tiny in some directions, large in others
      Value = Random() % 2 ? between(R.Low, R.Low + 2) : between(R.Low, R.High);
      break;
    }
    Drawn.push_back(std::clamp(Value, R.Low, R.High));
  }
  return Drawn;
}

} // namespace memshape
