// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/mapping/TreeMapping.h"
#include "model/graph/Graph.h"
#include "model/makespan/RunningTasks.h"
#include "model/scheduling/Heuristics.h"
#include "model/scheduling/Sequential.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace memshape::scheduling {

namespace {

/// Bytes of one processor in parts of a byte that all numbers of processors divide, so that sums are exact. Where these
/// would be too many, in 2^-40 bytes, rounded down: what 4 million nodes hold is then wrong by 2^-18 bytes.
class Parts {
public:
  Parts(const Graph &Of, std::uint32_t Processors) {
    for (Node Each = 0; Each < Of.size(); ++Each)
      All += Bytes(Of[Each].Output) + Of[Each].ownWork();
    const Bytes Most = (Bytes(1) << 125) / All;
    for (std::uint32_t Each = 2; Each <= Processors; ++Each) {
      const std::uint32_t Factor = Each / std::gcd(static_cast<std::uint32_t>(OfByte % Each), Each);
      if (OfByte > Most / Factor) {
        OfByte = std::min(Most, Bytes(1) << 40);
        return;
      }
      OfByte *= Factor;
    }
  }

  Bytes of(Bytes Size, std::uint32_t Processors) const {
    return Processors == 1 ? Size * OfByte : Size * OfByte / Processors; // a division takes long
  }
  Bytes ofMemory(Bytes Memory) const { return std::min(Memory, All) * OfByte; }
  Bytes whole(Bytes Of) const { return (Of + OfByte - 1) / OfByte; } ///< bytes, rounded up

private:
  Bytes All = 1; ///< no processor holds more
  Bytes OfByte = 1;
};

double timeOn(const graph::Task &Of, std::uint32_t Processors) {
  return Processors == 1 ? Of.Time : Of.Time / std::pow(double(Processors), Of.Speedup);
}

class Mapper {
public:
  Mapper(const Graph &Of, const Postorder &By, const Parts &In, std::uint32_t Processors)
      : Of(Of), By(By), In(In), All{0, Processors} {
    Done.On.resize(Of.size());
    Work.resize(Of.size());
    for (Node Each : Of.topological()) {
      Work[Each] += Of[Each].Time;
      for (Node Consumer : Of.consumers(Each))
        Work[Consumer] += Work[Each];
    }
  }

  /// From the roots down: what each node runs on. In proportion, and where a memory is given within it. All nodes on all
  /// processors fit, in the postorder.
  void place(std::optional<Bytes> Memory) {
    IsLimited = Memory.has_value();
    Left.resize(IsLimited ? Of.size() : 0);
    placeInputs(By.Roots, All, {}, IsLimited ? In.ofMemory(*Memory) : 0);
    const std::vector<Node> &Order = Of.topological();
    for (auto Each = Order.rbegin(); Each != Order.rend(); ++Each)
      placeInputs(By.Inputs[*Each], Done.On[*Each], Of[*Each], IsLimited ? Left[*Each] : 0);
    setPeakOfOne();
  }

  /// Of the processor that holds most, rounded up.
  Bytes peakOfOne() const { return Done.PeakOfOne; }

  MappedTree mapped() {
    setTimes();
    setPeak();
    return std::move(Done);
  }

private:
  /// Memory is what they and their reader may hold on each processor.
  void placeInputs(std::span<const Node> Inputs, ProcessorRange On, const graph::Task &Reader, Bytes Memory) {
    if (Inputs.size() > 1 && On.Count > 1) {
      std::vector<double> Each;
      for (Node Input : Inputs)
        Each.push_back(Work[Input]);
      const std::vector<ProcessorRange> Shares = sharesOf(Each, On);
      for (std::size_t At = 0; At < Inputs.size(); ++At)
        Done.On[Inputs[At]] = Shares[At];
      if (!IsLimited || fits(Inputs, On, Reader, Memory))
        return;
    }
    for (Node Input : Inputs) {
      Done.On[Input] = On;
      if (!IsLimited)
        continue;
      Left[Input] = Memory;
      Memory -= In.of(Of[Input].Output, On.Count);
    }
  }

  /// Whether subtrees side by side, and then their reader, stay within Memory; sets what is left for each.
  bool fits(std::span<const Node> Inputs, ProcessorRange On, const graph::Task &Reader, Bytes Memory) {
    const Bytes Needs = In.of(Bytes(Reader.Output) + Reader.ownWork(), On.Count);
    Held.resize(All.Count);
    for (Node Input : Inputs)
      Held[Done.On[Input].First] = 0;
    for (Node Input : Inputs) {
      const ProcessorRange There = Done.On[Input];
      Bytes &Before = Held[There.First];
      if (Before + In.of(By.Peak[Input], There.Count) > Memory)
        return false;
      Left[Input] = Memory - Before;
      Before += In.of(Of[Input].Output, There.Count);
      if (Before + Needs > Memory)
        return false;
    }
    return true;
  }

  /// Depth first: a subtree begins with that of its root's reader, or after the one before it on the same processors.
  void setTimes() {
    Done.Start.resize(Of.size());
    Done.End.resize(Of.size());
    std::vector<double> Free(All.Count, 0); // when the subtrees that begin with a processor have ended
    std::vector<std::size_t> Next(Of.size(), 0);
    std::vector<Node> Stack;
    for (Node Root : By.Roots) {
      begin(Root, 0, Free, Stack);
      while (!Stack.empty()) {
        const Node Now = Stack.back();
        if (Next[Now] < By.Inputs[Now].size()) {
          begin(By.Inputs[Now][Next[Now]++], Done.Start[Now], Free, Stack);
          continue;
        }
        Stack.pop_back();
        for (Node Input : By.Inputs[Now])
          Done.Start[Now] = std::max(Done.Start[Now], Done.End[Input]);
        Done.End[Now] = Done.Start[Now] + timeOn(Of[Now], Done.On[Now].Count);
        Free[Done.On[Now].First] = Done.End[Now];
        Done.Makespan = std::max(Done.Makespan, Done.End[Now]);
        Done.Order.push_back(Now);
      }
    }
    Done.sortByStart();
  }

  void begin(Node Each, double Earliest, const std::vector<double> &Free, std::vector<Node> &Stack) {
    Done.Start[Each] = std::max(Earliest, Free[Done.On[Each].First]);
    Stack.push_back(Each);
  }

  Bytes ownNeed(Node Each) const { return Bytes(Of[Each].Output) + workOn(Of, Done.On, Each); }

  void setPeakOfOne() {
    std::vector<Bytes> Most(Of.size()); // of a processor, of a node's subtree
    for (Node Each : Of.topological())
      Most[Each] = mostOf(By.Inputs[Each], In.of(ownNeed(Each), Done.On[Each].Count), Most);
    Done.PeakOfOne = In.whole(mostOf(By.Roots, 0, Most));
  }

  void setPeak() {
    Bytes Now = 0;
    RunningTasks Running;
    const auto End = [&](Node Each) {
      Now -= ownNeed(Each) - Of[Each].Output;
      for (Node Input : Of.inputs(Each))
        Now -= Of[Input].Output;
    };
    for (Node Each : Done.Order) {
      while (!Running.empty() && Running.next() <= Done.Start[Each])
        Running.goOn(End);
      Now += ownNeed(Each);
      Done.Peak = std::max(Done.Peak, Now);
      if (Done.End[Each] > Done.Start[Each])
        Running.start(Each, Done.End[Each]);
      else
        End(Each);
    }
  }

  /// Of subtrees, one after the other where they run on the same processors, and then of their reader.
  Bytes mostOf(std::span<const Node> Inputs, Bytes Reader, const std::vector<Bytes> &Most) {
    Held.resize(All.Count);
    Bytes Peak = Reader;
    for (Node Input : Inputs)
      Held[Done.On[Input].First] = 0;
    for (Node Input : Inputs) {
      Bytes &Before = Held[Done.On[Input].First];
      Peak = std::max(Peak, Before + Most[Input]);
      Before += In.of(Of[Input].Output, Done.On[Input].Count);
      Peak = std::max(Peak, Before + Reader);
    }
    return Peak;
  }

  const Graph &Of;
  const Postorder &By;
  const Parts &In;
  const ProcessorRange All;
  std::vector<double> Work; ///< of a node's subtree: time on one processor
  std::vector<Bytes> Held;  ///< of subtrees by their first processor: outputs of those that come before
  bool IsLimited = false;
  std::vector<Bytes> Left; ///< where it is limited: what a node's subtree may hold on each of its processors
  MappedTree Done;
};

/// One node after the other on all processors.
MappedTree inOrder(const Graph &Of, std::vector<Node> Order, const Parts &In, std::uint32_t Processors) {
  MappedTree Done;
  Done.On.assign(Of.size(), {0, Processors});
  Done.Start.resize(Of.size());
  Done.End.resize(Of.size());
  for (Node Each : Order) {
    Done.Start[Each] = Done.Makespan;
    Done.Makespan = Done.End[Each] = Done.Makespan + timeOn(Of[Each], Processors);
  }
  Done.Peak = graph::peakOf(Of, Order);
  Done.PeakOfOne = In.whole(In.of(Done.Peak, Processors));
  Done.Order = std::move(Order);
  return Done;
}

} // namespace

std::int64_t workOn(const Graph &Of, std::span<const ProcessorRange> On, Node Each) {
  const bool Together =
      std::all_of(Of.inputs(Each).begin(), Of.inputs(Each).end(), [&](Node Input) { return On[Input] == On[Each]; });
  return Together ? Of[Each].Work : Of[Each].ownWork();
}

MappedTree mapAllToAll(const Graph &Forest, std::uint32_t Processors) {
  return inOrder(Forest, depthFirst(Forest), Parts(Forest, Processors), Processors);
}

MappedTree mapProportionally(const Graph &Forest, std::uint32_t Processors) {
  const Postorder By = bestPostorder(Forest);
  const Parts In(Forest, Processors);
  Mapper Maps(Forest, By, In, Processors);
  Maps.place(std::nullopt);
  return Maps.mapped();
}

std::optional<MappedTree> mapWithin(const Graph &Forest, std::uint32_t Processors, Bytes Memory) {
  const Postorder By = bestPostorder(Forest);
  const Parts In(Forest, Processors);
  Mapper Maps(Forest, By, In, Processors);
  Maps.place(std::nullopt);
  if (Maps.peakOfOne() <= Memory)
    return Maps.mapped();
  Bytes InSeries = 0, Before = 0;
  for (Node Root : By.Roots) {
    InSeries = std::max(InSeries, Before + By.Peak[Root]);
    Before += Forest[Root].Output;
  }
  if (In.of(InSeries, Processors) <= In.ofMemory(Memory)) {
    Maps.place(Memory);
    return Maps.mapped();
  }
  MappedTree Found = inOrder(Forest, leastPeak(Forest).Order, In, Processors);
  return Found.PeakOfOne <= Memory ? std::optional(std::move(Found)) : std::nullopt;
}

Bytes leastMapped(const Graph &Forest, std::uint32_t Processors) {
  return (leastPeak(Forest).Peak + Processors - 1) / Processors;
}

} // namespace memshape::scheduling
