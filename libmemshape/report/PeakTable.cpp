// Peaks of a skeleton at many shapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/report/Report.h"
#include "libmemshape/skeletons/ArgumentValues.h"

#include <algorithm>
#include <set>

namespace memshape {

using ShapeValues = std::vector<std::int64_t>;

/// Evenly spread on a logarithmic axis, odd and even, favouring neither powers of two nor of ten.
constexpr std::int64_t Sweep[] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233, 377, 610, 987, 1597, 2584};
constexpr std::int64_t LargestOfAll = 987; ///< if all symbols grow together
constexpr std::int64_t Coarse[] = {1, 16, 100, 256, 1000};
constexpr std::size_t MostOfGrid = 625;

/// Adds all combinations of Coarse values, if they are not too many.
static void addGrid(const ShapeValues &Largest, std::set<ShapeValues> &Shapes) {
  std::vector<ShapeValues> Grid = {{}};
  for (std::int64_t Limit : Largest) {
    std::vector<ShapeValues> Longer;
    for (const ShapeValues &Start : Grid)
      for (std::int64_t Value : Coarse) {
        Longer.push_back(Start);
        Longer.back().push_back(std::min(Value, Limit));
      }
    Grid = std::move(Longer);
    if (Grid.size() > MostOfGrid)
      return;
  }
  Shapes.insert(Grid.begin(), Grid.end());
}

std::vector<PeakTableRow> peakTable(const Skeleton &S, const Question &Typical, bool Formula, Evaluator &Evaluate) {
  if (Typical.Shape.empty())
    return {};
  ShapeValues Largest;
  for (const Parameter &P : S.parametersOf(Role::Shape))
    Largest.push_back(largestValueOf(P));
  std::set<ShapeValues> Wanted = {Typical.Shape};
  for (std::int64_t Value : Sweep) {
    for (std::size_t I = 0; I < Largest.size(); ++I) {
      ShapeValues One = Typical.Shape;
      One[I] = std::min(Value, Largest[I]);
      Wanted.insert(std::move(One));
    }
    if (Value > LargestOfAll)
      continue;
    ShapeValues All;
    for (std::int64_t Limit : Largest)
      All.push_back(std::min(Value, Limit));
    Wanted.insert(std::move(All));
  }
  if (!Formula)
    addGrid(Largest, Wanted);

  // Cheap ones first: if the time ends early, the small shapes are done.
  std::vector<ShapeValues> Shapes(Wanted.begin(), Wanted.end());
  auto Size = [](const ShapeValues &Shape) {
    double Product = 1;
    for (std::int64_t Value : Shape)
      Product *= static_cast<double>(Value);
    return Product;
  };
  std::sort(Shapes.begin(), Shapes.end(),
            [&](const ShapeValues &A, const ShapeValues &B) { return Size(A) != Size(B) ? Size(A) < Size(B) : A < B; });
  FootprintRows Rows = Evaluate.evaluateAt(Typical, Shapes);
  std::vector<PeakTableRow> Table;
  for (std::size_t I = 0; I < Rows.size(); ++I)
    if (Rows[I])
      Table.push_back({std::move(Shapes[I]), std::move(*Rows[I])});
  return Table;
}

} // namespace memshape
