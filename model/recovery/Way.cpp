// Shapes on the way to one that takes too long.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/recovery/Way.h"

#include <algorithm>
#include <cmath>

namespace memshape {

std::int64_t Way::longest() const {
  std::int64_t Longest = 0;
  for (std::size_t I = 0; I < To.size(); ++I)
    if (!Held[I])
      Longest = std::max(Longest, To[I]);
  return Longest;
}

Shape Way::at(double Share) const {
  Shape At = To;
  for (std::size_t I = 0; I < To.size(); ++I)
    if (!Held[I])
      At[I] = std::clamp<std::int64_t>(std::llround(Share * static_cast<double>(To[I])), 1, To[I]);
  return At;
}

bool Way::isNear(const Shape &At) const {
  double Nearest = 1, Furthest = 0; // the least share that some direction may have come, the greatest that some must
  for (std::size_t I = 0; I < To.size(); ++I) {
    if (Held[I]) {
      if (At[I] != To[I])
        return false;
      continue;
    }
    const auto Extent = static_cast<double>(At[I]), End = static_cast<double>(To[I]);
    Nearest = std::min(Nearest, (Extent + 1) / End);
    Furthest = std::max(Furthest, (Extent - 1) / End);
  }
  return Furthest <= Slack * Nearest;
}

Shape Way::draw(ShapeSource &Source, double Least, double Most) const {
  const double Share = Least * std::pow(Most / Least, Source.unit());
  const bool Straight = Source.unit() < 0.25;
  Shape At = To;
  for (std::size_t I = 0; I < To.size(); ++I) {
    if (Held[I])
      continue;
    const double Less = Straight ? 1 : std::pow(Slack, -Source.unit());
    At[I] =
        std::clamp<std::int64_t>(std::llround(std::max(Least, Share * Less) * static_cast<double>(To[I])), 1, To[I]);
  }
  return At;
}

} // namespace memshape
