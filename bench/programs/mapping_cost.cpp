// What mappings of assembly trees take to find, and what they hold beside schedules in which each task has a processor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Trees are those of nested dissection of a square grid (George 1973): a front has a row for each point of its separator
// and of the border of its box. Its time is that of dense elimination, and its speedup is 0.9.
//
// Rivals after L. Eyraud-Dubois, L. Marchal, O. Sinnen, F. Vivien: Parallel scheduling of task trees with limited memory,
// ACM Transactions on Parallel Computing 2 (2015). They know one memory of all processors; `of_one` is an equal part of
// the most that they hold.

#include "model/makespan/RunningTasks.h"
#include "model/mapping/TreeMapping.h"
#include "model/scheduling/Heuristics.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

using namespace memshape::scheduling;
using memshape::graph::Task;

namespace {

class Dissection {
public:
  explicit Dissection(int Side) { part(Side, Side, {false, false, false, false}); }

  Graph tree() const { return *Graph::make(Fronts, Inputs); }

private:
  /// Whether there are points beyond the left, right, lower and upper side of a box.
  struct Border {
    bool Left, Right, Below, Above;
  };

  Node part(int Wide, int High, Border Of) {
    constexpr int Few = 2; // points of a box that is one front
    const int Around = High * (Of.Left + Of.Right) + Wide * (Of.Below + Of.Above);
    std::vector<Node> Parts;
    int Pivots = Wide * High;
    if (Wide * High > Few) {
      const bool IsWide = Wide >= High;
      const int Long = IsWide ? Wide : High, First = (Long - 1) / 2;
      Pivots = IsWide ? High : Wide;
      for (int Length : {First, Long - 1 - First}) {
        if (Length == 0)
          continue;
        Border Inner = Of;
        ((Parts.empty() && First > 0) ? (IsWide ? Inner.Right : Inner.Above) : (IsWide ? Inner.Left : Inner.Below)) =
            true;
        Parts.push_back(part(IsWide ? Length : Wide, IsWide ? High : Length, Inner));
      }
    }
    const double Rows = Pivots + Around;
    Fronts.push_back({8LL * Around * Around, 8LL * (Pivots + Around) * (Pivots + Around),
                      (Rows * Rows * Rows - double(Around) * Around * Around) / 3, 0, 0.9});
    Inputs.push_back(std::move(Parts));
    return static_cast<Node>(Fronts.size() - 1);
  }

  std::vector<Task> Fronts;
  std::vector<std::vector<Node>> Inputs;
};

const Graph &treeOf(std::int64_t Side) {
  static std::map<std::int64_t, Graph> Made;
  return Made.try_emplace(Side, Dissection(static_cast<int>(Side)).tree()).first->second;
}

struct Schedule {
  double Makespan = 0;
  Bytes Peak = 0;
};

/// Ready nodes of least rank first, each on one processor; without a limit of memory.
Schedule listed(const Graph &Tree, const std::vector<double> &Rank, std::size_t Processors) {
  std::vector<std::size_t> Waiting(Tree.size());
  std::set<std::pair<double, Node>> Ready;
  for (Node Each = 0; Each < Tree.size(); ++Each)
    if ((Waiting[Each] = Tree.inputs(Each).size()) == 0)
      Ready.insert({Rank[Each], Each});
  RunningTasks Running;
  Schedule Done;
  Bytes Held = 0;
  for (std::size_t Busy = 0; !Ready.empty() || Busy > 0;) {
    for (; Busy < Processors && !Ready.empty(); ++Busy) {
      const Node Next = Ready.begin()->second;
      Ready.erase(Ready.begin());
      Held += Bytes(Tree[Next].Output) + Tree[Next].Work;
      Running.start(Next, Done.Makespan + Tree[Next].Time);
    }
    Done.Peak = std::max(Done.Peak, Held);
    Done.Makespan = Running.goOn([&](Node Ended) {
      --Busy;
      Held -= Tree.need(Ended) - Tree[Ended].Output;
      for (Node Reader : Tree.consumers(Ended))
        if (--Waiting[Reader] == 0)
          Ready.insert({Rank[Reader], Reader});
    });
  }
  return Done;
}

std::vector<double> places(const Graph &Tree) {
  std::vector<double> Place(Tree.size());
  const std::vector<Node> Order = depthFirst(Tree);
  for (std::size_t At = 0; At < Order.size(); ++At)
    Place[Order[At]] = double(At);
  return Place;
}

/// Nodes with inputs first, and leaves in the best postorder.
Schedule innerFirst(const Graph &Tree, std::size_t Processors) {
  std::vector<double> Rank = places(Tree);
  for (Node Each = 0; Each < Tree.size(); ++Each)
    if (!Tree.inputs(Each).empty())
      Rank[Each] -= Tree.size();
  return listed(Tree, Rank, Processors);
}

/// Nodes first from which the way to the root takes longest.
Schedule deepestFirst(const Graph &Tree, std::size_t Processors) {
  std::vector<double> Rank(Tree.size(), 0);
  const std::vector<Node> &Order = Tree.topological();
  for (auto Each = Order.rbegin(); Each != Order.rend(); ++Each) {
    for (Node Reader : Tree.consumers(*Each))
      Rank[*Each] = Rank[Reader];
    Rank[*Each] -= Tree[*Each].Time;
  }
  return listed(Tree, Rank, Processors);
}

/// The heaviest subtrees at the same time, each on one processor in the best postorder, and then all other nodes one by
/// one. Subtrees are split from the heaviest one on, as long as that shortens the whole.
Schedule parSubtrees(const Graph &Tree, std::size_t Processors) {
  const Postorder By = bestPostorder(Tree);
  std::vector<double> Work(Tree.size(), 0);
  for (Node Each : Tree.topological()) {
    Work[Each] += Tree[Each].Time;
    for (Node Reader : Tree.consumers(Each))
      Work[Reader] += Work[Each];
  }
  std::set<std::pair<double, Node>, std::greater<>> Subtrees;
  for (Node Root : By.Roots)
    Subtrees.insert({Work[Root], Root});
  double Split = 0; // work of nodes that are in none
  Schedule Best;
  for (;;) {
    double Rest = Split;
    Bytes Together = 0;
    std::size_t Count = 0;
    for (const auto &[Of, Root] : Subtrees)
      ++Count <= Processors ? void(Together += By.Peak[Root]) : void(Rest += Of);
    const double Makespan = Subtrees.begin()->first + Rest;
    if (Best.Makespan == 0 || Makespan < Best.Makespan)
      Best = {Makespan, std::max(Together, By.Peak[By.Roots.front()])};
    const Node Heaviest = Subtrees.begin()->second;
    if (By.Inputs[Heaviest].empty() || Subtrees.size() > 16 * Processors)
      return Best;
    Split += Tree[Heaviest].Time;
    Subtrees.erase(Subtrees.begin());
    for (Node Input : By.Inputs[Heaviest])
      Subtrees.insert({Work[Input], Input});
  }
}

constexpr std::uint32_t Processors = 64;

void tell(benchmark::State &State, const Graph &Tree, double Makespan, Bytes OfOne) {
  const MappedTree All = mapAllToAll(Tree, Processors);
  State.counters["nodes"] = Tree.size();
  State.counters["makespan"] = Makespan / All.Makespan;
  State.counters["of_one"] = double(OfOne) / double(All.PeakOfOne);
}

/// Memory: per cent of what allToAll holds; 0 for mapProportionally.
void mapped(benchmark::State &State) {
  const Graph &Tree = treeOf(State.range(0));
  const Bytes Memory = mapAllToAll(Tree, Processors).PeakOfOne * State.range(1) / 100;
  MappedTree Found;
  for (auto _ : State)
    Found = State.range(1) ? *mapWithin(Tree, Processors, Memory) : mapProportionally(Tree, Processors);
  tell(State, Tree, Found.Makespan, Found.PeakOfOne);
}

void allToAll(benchmark::State &State) {
  const Graph &Tree = treeOf(State.range(0));
  for (auto _ : State)
    benchmark::DoNotOptimize(mapAllToAll(Tree, Processors));
  tell(State, Tree, mapAllToAll(Tree, Processors).Makespan, mapAllToAll(Tree, Processors).PeakOfOne);
}

template <Schedule (*Rival)(const Graph &, std::size_t)> void rival(benchmark::State &State) {
  const Graph &Tree = treeOf(State.range(0));
  Schedule Found;
  for (auto _ : State)
    Found = Rival(Tree, Processors);
  tell(State, Tree, Found.Makespan, (Found.Peak + Processors - 1) / Processors);
}

constexpr std::int64_t Side = 430;
BENCHMARK(allToAll)->Arg(Side)->Unit(benchmark::kMillisecond);
BENCHMARK(mapped)->ArgsProduct({{Side}, {0, 100, 125, 150, 200, 400}})->Unit(benchmark::kMillisecond);
BENCHMARK(rival<parSubtrees>)->Name("ParSubtrees")->Arg(Side)->Unit(benchmark::kMillisecond);
BENCHMARK(rival<innerFirst>)->Name("InnerFirst")->Arg(Side)->Unit(benchmark::kMillisecond);
BENCHMARK(rival<deepestFirst>)->Name("DeepestFirst")->Arg(Side)->Unit(benchmark::kMillisecond);

} // namespace

BENCHMARK_MAIN();
