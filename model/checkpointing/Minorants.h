// Convex functions below rows of values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace memshape::checkpointing {

/// Of rows of values at the places 1, 2, 3, ..., to which values are added: the greatest convex function below each row,
/// which is the lower hull of its points.
class Minorants {
public:
  /// Rows with places below Length.
  Minorants(std::size_t Rows, std::size_t Length)
      : Length(Length), Below(std::make_unique_for_overwrite<double[]>(Rows * Length)),
        Corners(std::make_unique_for_overwrite<std::int32_t[]>(Rows * Length)), Count(Rows) {}

  /// For one place.
  static constexpr std::size_t Bytes = sizeof(double) + sizeof(std::int32_t);

  /// Values, at all places below End, are finite and not negative. Those that the row had are the same.
  void extend(std::size_t Row, std::int64_t End, const double *Values);

  /// The function at each place, less what was rounded at most on the way to it.
  const double *below(std::size_t Row) const { return &Below[Row * Length]; }

private:
  std::size_t Length;
  std::unique_ptr<double[]> Below;
  std::unique_ptr<std::int32_t[]> Corners; ///< of each row: the places where the function is the value
  std::vector<std::int32_t> Count;         ///< corners of each row
};

} // namespace memshape::checkpointing
