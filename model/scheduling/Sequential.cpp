//===- Sequential.cpp -----------------------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/scheduling/Sequential.h"
#include "model/graph/Profile.h"
#include "model/scheduling/DownSetSearch.h"
#include "model/scheduling/LowerBound.h"
#include "model/scheduling/TreeOrder.h"
#include "model/series_parallel/SeriesParallelOrder.h"

#include <algorithm>

namespace memshape::scheduling {

namespace {

// Work, counted so that the same graph gets the same answer on every machine. 10^9 take a second or two.
constexpr std::size_t SearchWork = 800'000'000; ///< words of sets
constexpr std::size_t BeamWork = 400'000'000;
constexpr std::size_t CutWork = 4'000'000;     ///< vertices and arcs
constexpr std::size_t BranchWork = 20'000'000; ///< nodes and edges of series-parallel graphs
constexpr std::size_t WidestBeam = 1000;
constexpr std::size_t LargestSearched = 4096; ///< nodes

/// The order that was found first, where several hold as little.
void take(SequentialOrder &Best, std::vector<Node> Order, const char *Method, const Graph &Of) {
  const Bytes Peak = peakOf(Of, Order);
  if (!Best.Method.empty() && Peak >= Best.Peak)
    return;
  Best.Order = std::move(Order);
  Best.Peak = Peak;
  Best.Method = Method;
}

void search(SequentialOrder &Best, const Graph &Of) {
  const std::size_t Words = (Of.size() + std::size_t(63)) / 64;
  const std::size_t Step = Of.size() * Words + Of.edges() + 1;
  const std::size_t Width = std::min(WidestBeam, BeamWork / Step / Of.size() / 4);
  if (Width >= 2)
    take(Best, beamOrder(Of, Best.LowerBound, Width), "beam", Of);
  const SearchResult Found = searchDownSets(Of, Best.Peak, Best.LowerBound, SearchWork);
  if (!Found.Order.empty())
    take(Best, Found.Order, "search", Of);
  Best.LowerBound = std::max(Best.LowerBound, Found.LowerBound);
}

} // namespace

SequentialOrder leastPeak(const Graph &Of) {
  SequentialOrder Found;
  if (Of.isInForest()) {
    Found.Order = optimalTreeOrder(Of);
    Found.Peak = Found.LowerBound = peakOf(Of, Found.Order);
    Found.Optimal = true;
    Found.Method = "liu";
    return Found;
  }
  if (std::optional<series_parallel::SeriesParallelOrder> Best = series_parallel::seriesParallelOrder(Of, BranchWork)) {
    take(Found, std::move(Best->Order), "series-parallel", Of);
    Found.LowerBound = Best->LowerBound;
    Found.Optimal = Found.Peak == Found.LowerBound;
    if (Found.Optimal)
      return Found;
  }
  for (NamedOrder &Each : simpleOrders(Of))
    take(Found, std::move(Each.Order), Each.Name, Of);
  Found.LowerBound = std::max(Found.LowerBound, cutLowerBound(Of, Found.Order, CutWork));
  if (Found.Peak > Found.LowerBound && Of.size() <= LargestSearched)
    search(Found, Of);
  Found.Optimal = Found.Peak == Found.LowerBound;
  return Found;
}

} // namespace memshape::scheduling
