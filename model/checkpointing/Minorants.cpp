// Convex functions below rows of values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/checkpointing/Minorants.h"

#include <algorithm>

namespace memshape::checkpointing {

void Minorants::extend(std::size_t Row, std::int64_t End, const double *Values) {
  std::int32_t *Corner = &Corners[Row * Length], &Number = Count[Row];
  // Of the line between a corner and the one in front of it, which is steeper than those further in front.
  const auto Slope = [&](std::int32_t I) {
    const std::int32_t A = Corner[I - 1], B = Corner[I];
    const double Rise = Values[B] - Values[A];
    return B - A == 1 ? Rise : Rise / double(B - A);
  };
  std::int32_t Same = Number; // corners that are those of before
  double Last = Number > 1 ? Slope(Number - 1) : 0;
  for (std::int32_t Place = Number == 0 ? 1 : Corner[Number - 1] + 1; Place < End; ++Place) {
    Corner[Number++] = Place;
    double Next = Number > 1 ? Slope(Number - 1) : 0;
    for (; Number > 2 && Next < Last; Last = Number > 2 ? Slope(Number - 2) : 0) {
      Corner[--Number - 1] = Place;
      Next = Slope(Number - 1);
    }
    Same = std::min(Same, Number - 1);
    Last = Next;
  }
  // Each corner that was dropped may have been below the line, by an error of three operations.
  const double Rounded = 1e-15 * double(End);
  double *Line = &Below[Row * Length];
  for (std::int32_t I = std::max(Same, 1); I < Number; ++I) {
    const std::int32_t A = Corner[I - 1], B = Corner[I];
    const double Rising = Slope(I), From = Values[A] - Rounded * std::max(Values[A], Values[B]);
    for (std::int32_t Place = A; Place <= B; ++Place)
      Line[Place] = From + Rising * double(Place - A);
  }
}

} // namespace memshape::checkpointing
