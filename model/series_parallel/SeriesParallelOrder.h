// Orders of series-parallel graphs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "model/graph/Graph.h"

namespace memshape::series_parallel {

using graph::Bytes;
using graph::Graph;
using graph::Node;

struct SeriesParallelOrder {
  std::vector<Node> Order;
  Bytes Peak = 0;
  Bytes LowerBound = 0; ///< no order holds less; the order is proven best where Peak is that
};

/// Nothing where the graph is not series-parallel.
///
/// Where each output ends with the same job in every order, the order is best (Abdel-Wahab, Kameda, Scheduling to minimize
/// maximum cumulative cost subject to series-parallel precedence constraints, 1978; graphs with bytes on their edges, as
/// in Kayaaslan, Lambert, Marchal, Ucar, Scheduling series-parallel task graphs to minimize peak memory, 2018, are such).
///
/// Where the last consumer of an output depends on the order, the parts that its consumers stand in are looked at together,
/// from the smallest ones up: Region.h.
///
/// O((n + m) log^2 n) where every output ends with the same job; otherwise as often again as regions are looked at with
/// more work each, until the blocks that were looked at are more than MostWork.
std::optional<SeriesParallelOrder> seriesParallelOrder(const Graph &Of, std::size_t MostWork);

} // namespace memshape::series_parallel
