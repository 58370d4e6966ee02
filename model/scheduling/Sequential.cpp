// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/Sequential.h"
#include "model/graph/Graph.h"
#include "model/scheduling/DownSetSearch.h"
#include "model/scheduling/LowerBound.h"
#include "model/series_parallel/SeriesParallelOrder.h"

#include <algorithm>

namespace memshape::scheduling {

// Work, counted so that the same graph gets the same answer on every machine.
constexpr std::size_t SearchWork = 20'000'000; ///< words of sets and steps
constexpr std::size_t BeamWork = 3'000'000;    ///< of each beam
constexpr int BeamPasses = 3;                  ///< from each end
constexpr std::size_t CutWork = 4'000'000;     ///< vertices and arcs
constexpr std::size_t BranchWork = 20'000'000; ///< nodes and edges of series-parallel graphs
constexpr std::size_t WidestBeam = 1000;
constexpr std::size_t LargestSearched = 4096; ///< nodes

/// The order that was found first, where several hold as little.
static void take(SequentialOrder &Best, std::vector<Node> Order, const char *Method, const Graph &Of) {
  const Bytes Peak = peakOf(Of, Order);
  if (!Best.Method.empty() && Peak >= Best.Peak)
    return;
  Best.Order = std::move(Order);
  Best.Peak = Peak;
  Best.Method = Method;
}

/// From both ends, with targets from the middle of what is possible towards the least peak that was found.
static void beams(SequentialOrder &Best, const Graph &Of) {
  constexpr std::size_t Narrow = 2;
  Bytes Target = Best.LowerBound;
  for (int Pass = 0; Pass < BeamPasses; ++Pass) {
    Target += (Best.Peak - Target) / 2;
    for (const Direction Going : {Direction::Forward, Direction::Backward}) {
      const BeamResult First = beamOrder(Of, Going, Target, Narrow);
      take(Best, First.Order, "beam", Of);
      const std::size_t Width = std::min(WidestBeam, Narrow * BeamWork / (First.Work + 1));
      if (Width > Narrow && Best.Peak > Best.LowerBound)
        take(Best, beamOrder(Of, Going, Target, Width).Order, "beam", Of);
      if (Best.Peak == Best.LowerBound || First.Work > BeamWork)
        return;
    }
  }
}

static void search(SequentialOrder &Best, const Graph &Of) {
  const SearchResult Found = searchDownSets(Of, Best.Peak, Best.LowerBound, SearchWork);
  if (!Found.Order.empty())
    take(Best, Found.Order, "search", Of);
  Best.LowerBound = std::max(Best.LowerBound, Found.LowerBound);
  if (!Found.Ended)
    beams(Best, Of);
}

SequentialOrder leastPeak(const Graph &Of) {
  SequentialOrder Found;
  if (std::optional<series_parallel::SeriesParallelOrder> Best = series_parallel::seriesParallelOrder(Of, BranchWork)) {
    // In a forest the blocks that are merged are Liu's.
    take(Found, std::move(Best->Order), Of.isInForest() ? "liu" : "series-parallel", Of);
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
