// Orders of general graphs, beside rivals.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// dag_orders COUNT: mean ratio of peaks to the optimum, and the processor time of memshape's answer, for COUNT graphs each
// of 18 nodes (the optimum over all sets of ended nodes), of 60 narrow ones (edges within the last six; the proven bound),
// and series-parallel ones of 18 and of 1,000: with bytes on their edges, as the literature has them, and with outputs that
// all consumers of a node share. Rivals are simple rules and the list schedule of XLA.

#include "model/scheduling/Heuristics.h"
#include "model/scheduling/Sequential.h"
#include "test/unit/model/RandomGraphs.h"

#include <cstdio>
#include <ctime>
#include <functional>
#include <map>
#include <string>

using namespace memshape;
using namespace memshape::graph;
using namespace memshape::scheduling;

namespace {

/// The rule of XLA's list scheduler, as its documentation has it: of the ready nodes, the one that frees most beside what it
/// defines; of those, the one with the most consumers.
std::vector<Node> freesMost(const Graph &Of) {
  std::vector<std::size_t> Inputs(Of.size()), Waiting(Of.size());
  for (Node Each = 0; Each < Of.size(); ++Each) {
    Inputs[Each] = Of.inputs(Each).size();
    Waiting[Each] = Of.consumers(Each).size();
  }
  std::vector<Node> Order, Ready;
  for (Node Each = 0; Each < Of.size(); ++Each)
    if (Inputs[Each] == 0)
      Ready.push_back(Each);
  const auto Priority = [&](Node Each) {
    Bytes Freed = -Bytes(Of[Each].Output);
    for (Node Input : Of.inputs(Each))
      Freed += Waiting[Input] == 1 ? Of[Input].Output : 0;
    return std::pair(Freed, Of.consumers(Each).size());
  };
  while (!Ready.empty()) {
    const auto Best = std::max_element(Ready.begin(), Ready.end(),
                                       [&](Node Left, Node Right) { return Priority(Left) < Priority(Right); });
    const Node Now = *Best;
    Ready.erase(Best);
    Order.push_back(Now);
    for (Node Input : Of.inputs(Now))
      --Waiting[Input];
    for (Node Consumer : Of.consumers(Now))
      if (--Inputs[Consumer] == 0)
        Ready.push_back(Consumer);
  }
  return Order;
}

void compare(const char *Title, int Count, const std::function<Graph()> &Next, bool TryAll) {
  std::map<std::string, double> Ratios;
  double Seconds = 0, Longest = 0;
  int Proven = 0, Wrong = 0;
  for (int I = 0; I < Count; ++I) {
    const Graph Of = Next();
    const std::clock_t Begin = std::clock();
    const SequentialOrder Found = leastPeak(Of);
    const double Took = static_cast<double>(std::clock() - Begin) / CLOCKS_PER_SEC;
    Seconds += Took, Longest = std::max(Longest, Took);
    const Bytes Least = std::max<Bytes>(1, TryAll ? DownSets(Of).leastPeak() : Found.LowerBound);
    Proven += Found.Optimal;
    Wrong += TryAll && (Found.LowerBound > Least || (Found.Optimal && Found.Peak != Least));
    const auto Add = [&](const std::string &Name, Bytes Peak) {
      Ratios[Name] += static_cast<double>(Peak) / static_cast<double>(Least) / Count;
    };
    Add("memshape", Found.Peak);
    Add("XLA's rule", peakOf(Of, freesMost(Of)));
    Bytes Best = Found.Peak * 1000;
    for (const NamedOrder &Each : simpleOrders(Of)) {
      Add(Each.Name, Each.Peak);
      Best = std::min(Best, Each.Peak);
    }
    Add("best of these rules", Best);
  }
  std::printf("%s: %d graphs, %d proven optimal, %d wrong; %.3f s each, %.3f s at most\n", Title, Count, Proven, Wrong,
              Seconds / Count, Longest);
  for (const auto &[Name, Ratio] : Ratios)
    std::printf("  %-22s %.4f\n", Name.c_str(), Ratio);
}

} // namespace

int main(int Arguments, char **Argument) {
  const int Count = Arguments == 2 ? std::atoi(Argument[1]) : 0;
  if (Count < 1) {
    std::fputs("usage: dag_orders COUNT\n", stderr);
    return 2;
  }
  Random R(1);
  compare(
      "18 nodes", Count, [&] { return randomGraph(R, 18, 100, static_cast<double>(from(R, 10, 40)) / 100, 17); }, true);
  compare("60 nodes, narrow", Count, [&] { return randomGraph(R, 60, 100, 0.3, 6); }, false);
  const auto SeriesParallel = [&](std::size_t Nodes) {
    return randomSeriesParallel(R, Nodes, 100, static_cast<double>(from(R, 10, 90)) / 100);
  };
  compare("18 nodes, series-parallel, shared outputs", Count, [&] { return SeriesParallel(18); }, true);
  compare("1,000 nodes, series-parallel, shared outputs", Count, [&] { return SeriesParallel(1000); }, false);
  compare(
      "1,000 nodes, series-parallel, bytes on edges", Count,
      [&] { return withBytesOnEdges(R, SeriesParallel(1000), 100); }, false);
}
