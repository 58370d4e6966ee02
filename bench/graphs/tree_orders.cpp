// What the best orders of trees cost.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tree_orders FILE...: for each tree that assembly_tree wrote, in its own order and with shuffled numbers, the processor time
// of both orders (of the first call and the median of 21), and how far the best postorder is from the optimum.

#include "bench/graphs/Trees.h"
#include "model/graph/Profile.h"
#include "model/scheduling/TreeOrder.h"

#include <algorithm>
#include <cstdio>
#include <ctime>

using namespace memshape;

namespace {

constexpr int Runs = 21;

struct Cost {
  double First = 0, Median = 0; ///< milliseconds of the processor
};

template <class Function> Cost costOf(Function Run) {
  std::vector<double> Times;
  for (int I = 0; I < Runs; ++I) {
    timespec Begin, End;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Begin);
    Run();
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &End);
    Times.push_back(1e3 * static_cast<double>(End.tv_sec - Begin.tv_sec) +
                    1e-6 * static_cast<double>(End.tv_nsec - Begin.tv_nsec));
  }
  const double First = Times.front();
  std::sort(Times.begin(), Times.end());
  return {First, Times[Runs / 2]};
}

bool report(const char *Path, bool Shuffled) {
  const std::optional<graph::Graph> Tree = graph::readTree(Path, Shuffled);
  if (!Tree || !Tree->isInForest()) {
    std::fprintf(stderr, "tree_orders: %s is not a tree of assembly_tree\n", Path);
    return false;
  }
  std::vector<graph::Node> Postorder, Optimum;
  const Cost OfPostorder = costOf([&] { Postorder = scheduling::bestPostorder(*Tree); });
  const Cost OfOptimum = costOf([&] { Optimum = scheduling::optimalTreeOrder(*Tree); });
  std::printf("%-24s %-8s %8u %8.2f, %6.2f %8.2f, %6.2f %10.4f\n", Path, Shuffled ? "shuffled" : "", Tree->size(),
              OfPostorder.First, OfPostorder.Median, OfOptimum.First, OfOptimum.Median,
              static_cast<double>(graph::peakOf(*Tree, Postorder)) /
                  static_cast<double>(std::max<graph::Bytes>(1, graph::peakOf(*Tree, Optimum))));
  return true;
}

} // namespace

int main(int Count, char **Arguments) {
  std::printf("%-33s %8s %16s %16s %10s\n", "tree", "nodes", "postorder, ms", "optimum, ms", "peaks");
  for (int I = 1; I < Count; ++I)
    if (!report(Arguments[I], false) || !report(Arguments[I], true))
      return 2;
}
