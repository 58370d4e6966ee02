// Trees on several processors within a memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// tree_schedules PROCESSORS FACTOR FILE...: for each tree that assembly_tree wrote, the makespan of each method within FACTOR
// times the least sequential peak, divided by its lower bound; the means at the end. A schedule that holds more at some
// moment ends the program with status 1.

#include "bench/graphs/Trees.h"
#include "model/graph/Profile.h"
#include "model/makespan/BackwardSchedule.h"
#include "model/makespan/MakespanBound.h"
#include "model/makespan/MemoryBooking.h"
#include "model/makespan/OrderSearch.h"
#include "model/scheduling/TreeOrder.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <functional>

using namespace memshape;
using namespace memshape::scheduling;

namespace {

/// What is held at the greatest moment, from the starts alone: at one instant ends come before starts.
Bytes heldAtMost(const Graph &Tree, const TimedSchedule &Found) {
  struct Change {
    double When;
    bool Starts;
    Bytes Of;
    bool operator<(const Change &Other) const { return When != Other.When ? When < Other.When : Starts < Other.Starts; }
  };
  std::vector<Change> Changes;
  for (Node Each = 0; Each < Tree.size(); ++Each) {
    const double Start = Found.Start[Each], End = Start + Tree[Each].Time;
    Bytes Inputs = 0;
    for (Node Input : Tree.inputs(Each))
      Inputs += Tree[Input].Output;
    Changes.push_back({Start, true, Bytes(Tree[Each].Output) + Tree[Each].Work});
    Changes.push_back({End, false, Inputs + Tree[Each].Work});
  }
  std::sort(Changes.begin(), Changes.end());
  Bytes Held = 0, Most = 0;
  for (const Change &Each : Changes)
    Most = std::max(Most, Held += Each.Starts ? Each.Of : -Each.Of);
  return Most;
}

struct Orders {
  std::vector<Node> Optimum, Postorder;
};

struct Method {
  const char *Name;
  std::function<std::optional<TimedSchedule>(const Graph &, const Orders &, std::uint32_t, Bytes)> Run;
  double Sum = 0;
};

std::vector<Method> allMethods() {
  constexpr std::size_t MostWork = 1'000'000'000, SearchedNodes = 4'000'000;
  return {{"list, longest path",
           [](const Graph &Tree, const Orders &In, std::uint32_t P, Bytes Memory) {
             return listSchedule(Tree, In.Optimum, P, Memory, Priority::LongestPath);
           }},
          {"list, in order", [](const Graph &Tree, const Orders &In, std::uint32_t P,
                                Bytes Memory) { return listSchedule(Tree, In.Optimum, P, Memory, Priority::Order); }},
          {"Activation",
           [](const Graph &Tree, const Orders &In, std::uint32_t P, Bytes Memory) {
             return bookedSchedule(Tree, In.Postorder, P, Memory, Booking::Whole, MostWork);
           }},
          {"MemBooking",
           [](const Graph &Tree, const Orders &In, std::uint32_t P, Bytes Memory) {
             return bookedSchedule(Tree, In.Postorder, P, Memory, Booking::Missing, MostWork);
           }},
          {"backward", [](const Graph &Tree, const Orders &In, std::uint32_t P,
                          Bytes Memory) { return backwardSchedule(Tree, In.Optimum, P, Memory); }},
          {"backward, searched",
           [](const Graph &Tree, const Orders &In, std::uint32_t P, Bytes Memory) {
             const SearchEffort Effort = {SearchedNodes, makespanLowerBound(Tree, P, Memory) * 1.001};
             return backwardSchedule(Tree, shorterOrder(Tree, In.Optimum, P, Memory, Effort), P, Memory);
           }},
          {"MemBooking, optimum", [](const Graph &Tree, const Orders &In, std::uint32_t P, Bytes Memory) {
             return bookedSchedule(Tree, In.Optimum, P, Memory, Booking::Missing, MostWork);
           }}};
}

} // namespace

int main(int Count, char **Arguments) {
  if (Count < 4) {
    std::fputs("usage: tree_schedules PROCESSORS FACTOR FILE...\n", stderr);
    return 2;
  }
  const auto Processors = static_cast<std::uint32_t>(std::atoi(Arguments[1]));
  const double Factor = std::atof(Arguments[2]);
  std::vector<Method> Methods = allMethods();
  double Best = 0;
  for (int I = 3; I < Count; ++I) {
    const std::optional<Graph> Tree = graph::readTree(Arguments[I]);
    if (!Tree || !Tree->isInForest()) {
      std::fprintf(stderr, "tree_schedules: %s is not a tree of assembly_tree\n", Arguments[I]);
      return 2;
    }
    const Orders In = {optimalTreeOrder(*Tree), bestPostorder(*Tree)};
    const auto Memory = static_cast<Bytes>(Factor * static_cast<double>(graph::peakOf(*Tree, In.Optimum)));
    const double Bound = makespanLowerBound(*Tree, Processors, Memory);
    std::printf("%s: the memory makes the bound %.3f times what it is without\n", Arguments[I],
                Bound / makespanLowerBound(*Tree, Processors, Bytes(1) << 120));
    double Least = 1e300;
    for (Method &Each : Methods) {
      const std::clock_t Begin = std::clock();
      const std::optional<TimedSchedule> Found = Each.Run(*Tree, In, Processors, Memory);
      const double Seconds = static_cast<double>(std::clock() - Begin) / CLOCKS_PER_SEC;
      if (!Found) {
        std::printf("  %-20s none\n", Each.Name);
        Each.Sum = 1e300;
        continue;
      }
      if (heldAtMost(*Tree, *Found) > Memory) {
        std::fprintf(stderr, "tree_schedules: %s holds more than the memory\n", Each.Name);
        return 1;
      }
      Each.Sum += Found->Makespan / Bound;
      Least = std::min(Least, Found->Makespan / Bound);
      std::printf("  %-20s makespan/bound %.3f  peak/memory %.3f  %.3f s\n", Each.Name, Found->Makespan / Bound,
                  static_cast<double>(Found->Peak) / static_cast<double>(Memory), Seconds);
    }
    Best += Least;
  }
  std::printf("means\n");
  for (const Method &Each : Methods)
    std::printf("  %-20s makespan/bound %.3f\n", Each.Name, Each.Sum / (Count - 3));
  std::printf("  %-20s makespan/bound %.3f\n", "best of all", Best / (Count - 3));
}
