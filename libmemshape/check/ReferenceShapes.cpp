// Shapes at which a baseline has figures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/check/BaselineParts.h"
#include "libmemshape/check/baseline/Ordered.h"
#include "libmemshape/formulas/FormulaSampling.h"
#include "libmemshape/skeletons/ArgumentValues.h"

#include <algorithm>
#include <random>

namespace memshape {

using Extents = std::vector<std::int64_t>;

/// Odd and prime, and all different up to eight symbols, so that rounding and mixed-up symbols show.
constexpr std::int64_t Small[] = {7, 5, 11, 3, 13, 17, 19, 23};
/// Extents of typical tensors, before they are scaled.
constexpr std::int64_t Medium[] = {60, 40, 90, 30, 50, 70, 20, 80};
/// If the operator throws at the shapes above, these are tried in this order: all symbols equal.
constexpr std::int64_t Alike[] = {64, 16, 9, 1};
/// A skeleton with more requests is too slow; the count is the same on every machine.
constexpr std::uint64_t MostRequests = 20'000;
constexpr std::int64_t LargestFactor = 16;

static Extents scaled(const std::vector<Parameter> &Symbols, const std::int64_t *Values, std::int64_t Factor) {
  Extents Shape;
  for (std::size_t I = 0; I < Symbols.size(); ++I)
    Shape.push_back(std::min(Values[I % std::size(Small)] * Factor, largestValueOf(Symbols[I])));
  return Shape;
}

/// The number of requests at a shape; nothing if the operator does not return.
static std::optional<std::uint64_t> requestsAt(const Extents &At, const Question &Asked, Evaluator &Evaluate) {
  Question Next = Asked;
  Next.Shape = At;
  Result<Footprint> Answer = Evaluate.evaluate(Next);
  if (!Answer || Answer->Outcome != Footprint::Status::Ok)
    return std::nullopt;
  return Answer->Allocations + Answer->Reallocations;
}

std::vector<Extents> chooseShapes(const Skeleton &S, const Question &Asked, Evaluator &Evaluate) {
  const std::vector<Parameter> Symbols = S.parametersOf(Role::Shape);
  std::vector<Extents> Chosen;
  auto Requests = [&](const Extents &At) { return requestsAt(At, Asked, Evaluate); };
  if (Symbols.empty())
    return {{}};
  const Domain Equal{{}, tiesOf(S, Asked, Evaluate)};
  if (const Extents At = Equal.tied(scaled(Symbols, Small, 1)); Requests(At))
    Chosen.push_back(At);
  Extents Large;
  for (std::int64_t Factor = 1; Factor <= LargestFactor; Factor *= 2) {
    const Extents At = Equal.tied(scaled(Symbols, Medium, Factor));
    const std::optional<std::uint64_t> Count = Requests(At);
    if (!Count)
      break;
    if (Factor == 1)
      Chosen.push_back(At);
    else
      Large = At;
    if (*Count > MostRequests)
      break;
  }
  if (!Large.empty())
    Chosen.push_back(Large);
  // Extents that have to agree: a square matrix, a length that is a power of two.
  for (std::int64_t Value : Alike) {
    if (Chosen.size() >= 2)
      break;
    const Extents At = scaled(Symbols, std::vector<std::int64_t>(std::size(Small), Value).data(), 1);
    if (std::find(Chosen.begin(), Chosen.end(), At) == Chosen.end() && Requests(At))
      Chosen.push_back(At);
  }
  std::sort(Chosen.begin(), Chosen.end());
  Chosen.erase(std::unique(Chosen.begin(), Chosen.end()), Chosen.end());
  return Chosen;
}

std::vector<Extents> stretchedShapes(const Skeleton &S, const Question &Asked, Evaluator &Evaluate) {
  const std::vector<Parameter> Symbols = S.parametersOf(Role::Shape);
  std::vector<Extents> Chosen;
  if (Symbols.size() < 2)
    return Chosen;
  const Domain Equal{{}, tiesOf(S, Asked, Evaluate)};
  const Extents Short = scaled(Symbols, Small, 1), Long = scaled(Symbols, Medium, LargestFactor / 2);
  for (std::size_t I = 0; I < Symbols.size(); ++I)
    for (bool Stretch : {true, false}) {
      Extents At = Stretch ? Short : Long;
      At[I] = Stretch ? Long[I] : Short[I];
      At = Equal.tied(std::move(At));
      if (std::optional<std::uint64_t> Count = requestsAt(At, Asked, Evaluate); Count && *Count <= MostRequests)
        Chosen.push_back(At);
    }
  return Chosen;
}

Domain probedDomain(const Skeleton &S) {
  Domain Whole;
  for (const Parameter &P : S.parametersOf(Role::Shape))
    Whole.Ranges.push_back({1, std::min(LargestProbed, largestValueOf(P))});
  return Whole;
}

std::vector<Extents> probeShapes(const Domain &Where) {
  constexpr std::size_t Count = 200;
  std::mt19937_64 Random(7919); // its numbers are specified by the standard, those of distributions are not
  std::vector<Extents> Shapes;
  for (std::size_t I = 0; I < Count; ++I) {
    Extents Shape;
    for (const Range &Each : Where.Ranges) {
      // Equally many of each magnitude: 2^0 to 2^11.
      const std::int64_t Top = std::int64_t(2) << Random() % 11;
      const std::int64_t Drawn = 1 + static_cast<std::int64_t>(Random() % static_cast<std::uint64_t>(Top));
      Shape.push_back(std::clamp(Drawn, Each.Low, Each.High));
    }
    Shapes.push_back(Where.tied(std::move(Shape)));
  }
  orderBy(Shapes, [](const Extents &Shape) {
    double Volume = 1;
    for (std::int64_t Extent : Shape)
      Volume *= static_cast<double>(Extent);
    return Volume;
  });
  return Shapes;
}

} // namespace memshape
