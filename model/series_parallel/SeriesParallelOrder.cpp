// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/series_parallel/SeriesParallelOrder.h"
#include "model/graph/Graph.h"
#include "model/series_parallel/Region.h"
#include "model/series_parallel/Releases.h"

#include <algorithm>
#include <set>

namespace memshape::series_parallel {

namespace {

using Kind = Decomposition::Kind;

/// A chain, in which equal blocks may stand beside each other.
using Blocks = std::multiset<Block>;

constexpr std::size_t FirstWork = 1000; ///< for each region; most need less

/// The best order, from the smallest parts up.
class Merging {
public:
  Merging(const Graph &Of, const Decomposition &Parts, const Releases &Ends)
      : Parts(Parts), Ends(Ends), BottomUp(Parts.bottomUp()), Up(Parts.Jobs, 0), Down(Ends.Frees), Shared(Parts.Jobs) {
    for (Node Each = 0; Each < Of.size(); ++Each) {
      Up[Each] = Bytes(Of[Each].Output) + Of[Each].Work;
      Down[Each] += Of[Each].Work;
    }
    for (std::uint32_t Each = 0; Each < Ends.Open.size(); ++Each)
      for (Node Last : Ends.Open[Each].Last)
        Shared[Last].push_back(Each);
  }

  struct Result {
    std::vector<std::uint32_t> Jobs;
    Bytes Peak = 0;
    bool Exact = true;
    std::size_t Work = 0;
  };
  Result best(std::size_t MostWork, Instead Otherwise) {
    Sequences Chained(Parts.Jobs);
    Jobs = &Chained;
    Result Found;
    Done.assign(Parts.Parts.size(), {});
    Inside.assign(Parts.Parts.size(), {});
    Depth.assign(Parts.Parts.size(), 0);
    for (std::uint32_t Each : BottomUp) {
      const Decomposition::Part &Part = Parts.Parts[Each];
      if (Part.Is == Kind::Job) {
        for (std::uint32_t Output : Shared[Part.Job])
          Inside[Each].emplace(Output, 1);
        Done[Each].insert(blockOf(Part.Job));
        continue;
      }
      const bool HasOpen =
          std::any_of(Part.Parts.begin(), Part.Parts.end(), [&](std::uint32_t I) { return isOpen(I); });
      if (!HasOpen) {
        join(Each);
        continue;
      }
      gather(Each);
      if (isOpen(Each))
        continue;
      if (Depth[Each] > Deepest) {
        presume(Each);
        Found.Exact = false;
        continue;
      }
      Region Coupled(*Jobs);
      std::map<std::uint32_t, std::vector<std::uint32_t>> Consumers;
      build(Each, Coupled, Consumers);
      std::map<std::vector<std::uint32_t>, Bytes> Together; // bytes that end with the last of the same chains
      for (const auto &[Output, Last] : Consumers)
        Together[Last] += Ends.Open[Output].Output;
      for (const auto &[Last, Output] : Together)
        Coupled.share(Output, Last);
      const Region::Result Solved = Coupled.best(MostWork, Otherwise);
      Found.Work += Solved.Work;
      Found.Exact &= Solved.Exact;
      Done[Each].insert(Solved.Best.begin(), Solved.Best.end());
    }
    if (Parts.Root == None)
      return Found;
    Bytes Held = 0;
    for (const Block &Each : Done[Parts.Root]) {
      Found.Peak = std::max(Found.Peak, Held + Each.Up);
      Held += Each.net();
      Jobs->walk(Each.Jobs, [](std::uint32_t) { return false; }, [&](std::uint32_t Job) { Found.Jobs.push_back(Job); });
    }
    return Found;
  }

private:
  bool isOpen(std::uint32_t Part) const { return !Inside[Part].empty(); }
  Block blockOf(std::uint32_t Job) const { return {Up[Job], Down[Job], Job}; }

  /// Outputs of which some possible last consumers, and not all, are inside.
  void gather(std::uint32_t Each) {
    auto &All = Inside[Each];
    for (std::uint32_t I : Parts.Parts[Each].Parts) {
      if (!isOpen(I))
        continue;
      Depth[Each] = std::max(Depth[Each], Depth[I] + 1);
      if (All.size() < Inside[I].size())
        std::swap(All, Inside[I]);
      for (const auto &[Output, Count] : Inside[I])
        if ((All[Output] += Count) == Ends.Open[Output].Last.size())
          All.erase(Output);
      Inside[I].insert({None, 0}); // stays open
    }
  }

  /// Of each output the first consumer is taken for the last one: no order is better than what that says.
  void presume(std::uint32_t Root) {
    std::vector<std::uint32_t> Open = {Root}, Under;
    while (!Open.empty()) {
      Under.push_back(Open.back());
      Open.pop_back();
      for (std::uint32_t Each : Parts.Parts[Under.back()].Parts)
        if (isOpen(Each))
          Open.push_back(Each);
    }
    for (std::size_t I = Under.size(); I-- > 0;) {
      const Decomposition::Part &Part = Parts.Parts[Under[I]];
      if (Part.Is != Kind::Job) {
        join(Under[I]);
        continue;
      }
      Block Job = blockOf(Part.Job);
      for (std::uint32_t Output : Shared[Part.Job])
        if (Ends.Open[Output].Last.front() == Part.Job)
          Job.Down += Ends.Open[Output].Output;
      Done[Under[I]] = {Job};
    }
  }

  /// The blocks of parts that share no output with others.
  void join(std::uint32_t Each) {
    const Decomposition::Part &Part = Parts.Parts[Each];
    Blocks &All = Done[Each];
    All = std::move(Done[Part.Parts.front()]);
    for (std::size_t I = 1; I < Part.Parts.size(); ++I) {
      Blocks &Next = Done[Part.Parts[I]];
      if (Part.Is == Kind::Series)
        joinEnds(All, Next);
      if (All.size() < Next.size())
        std::swap(All, Next);
      All.merge(Next);
      Next.clear();
    }
  }

  static Block taken(Blocks &From, Blocks::iterator At) {
    const Block Taken = *At;
    From.erase(At);
    return Taken;
  }

  /// All of After come after all of Before: blocks that would rather change places become one.
  void joinEnds(Blocks &Before, Blocks &After) {
    if (Before.empty() || After.empty() || *Before.rbegin() < *After.begin())
      return;
    const Block Last = taken(Before, std::prev(Before.end()));
    Block Middle = joined(*Jobs, Last, taken(After, After.begin()));
    for (bool Again = true; Again;) {
      Again = false;
      if (!Before.empty() && !(*Before.rbegin() < Middle)) {
        Middle = joined(*Jobs, taken(Before, std::prev(Before.end())), Middle);
        Again = true;
      }
      if (!After.empty() && !(Middle < *After.begin())) {
        Middle = joined(*Jobs, Middle, taken(After, After.begin()));
        Again = true;
      }
    }
    Before.insert(Middle);
  }

  /// Parts that share nothing with others become chains: one for those that follow each other, one for those beside.
  std::uint32_t build(std::uint32_t Each, Region &Into,
                      std::map<std::uint32_t, std::vector<std::uint32_t>> &Consumers) {
    const Decomposition::Part &Part = Parts.Parts[Each];
    if (Part.Is == Kind::Job) {
      const std::uint32_t Made = Into.addChain({blockOf(Part.Job)});
      for (std::uint32_t Output : Shared[Part.Job])
        Consumers[Output].push_back(Made);
      return Made;
    }
    std::vector<std::uint32_t> Made;
    Chain Closed;
    for (std::uint32_t I : Part.Parts) {
      if (!isOpen(I)) {
        const Chain Next(Done[I].begin(), Done[I].end());
        if (Part.Is == Kind::Series)
          follow(*Jobs, Closed, Next);
        else
          Closed.insert(Closed.end(), Next.begin(), Next.end());
        continue;
      }
      if (Part.Is == Kind::Series && !Closed.empty())
        Made.push_back(Into.addChain(std::move(Closed)));
      if (Part.Is == Kind::Series)
        Closed.clear();
      Made.push_back(build(I, Into, Consumers));
    }
    if (!Closed.empty())
      Made.push_back(Into.addChain(Part.Is == Kind::Series ? std::move(Closed) : beside(*Jobs, std::move(Closed))));
    return Part.Is == Kind::Series ? Into.addSeries(std::move(Made)) : Into.addParallel(std::move(Made));
  }

  const Decomposition &Parts;
  const Releases &Ends;
  std::vector<std::uint32_t> BottomUp;
  static constexpr std::size_t Deepest = 1000;    ///< parts in each other that a region may have, for the stack's sake
  std::vector<Bytes> Up, Down;                    ///< of each job
  std::vector<std::vector<std::uint32_t>> Shared; ///< open outputs that each job may be the last consumer of
  std::vector<Blocks> Done;                       ///< of each part that is not open
  std::vector<std::map<std::uint32_t, std::size_t>>
      Inside;                     ///< open outputs, and how many of their consumers are inside
  std::vector<std::size_t> Depth; ///< open parts in each other
  Sequences *Jobs = nullptr;
};

} // namespace

std::optional<SeriesParallelOrder> seriesParallelOrder(const Graph &Of, std::size_t MostWork) {
  std::optional<Decomposition> Parts = decompose(Of);
  if (!Parts)
    return std::nullopt;
  const Releases Ends = releasesOf(Of, *Parts);
  Merging Parallel(Of, *Parts, Ends);
  SeriesParallelOrder Best;
  const auto Take = [&](const Merging::Result &Found) {
    std::vector<Node> Order;
    for (std::uint32_t Job : Found.Jobs)
      if (Job < Of.size())
        Order.push_back(Job);
    const Bytes Peak = graph::peakOf(Of, Order);
    if (Best.Order.empty() || Peak < Best.Peak) {
      Best.Order = std::move(Order);
      Best.Peak = Peak;
    }
  };
  std::size_t Work = 0, Before = 0;
  for (std::size_t OfEach = FirstWork;; OfEach *= 4) {
    const Merging::Result Found = Parallel.best(OfEach, Instead::Order);
    Take(Found);
    if (Found.Exact) {
      Best.LowerBound = Found.Peak;
      return Best;
    }
    const Merging::Result Bound = Parallel.best(OfEach, Instead::Bound);
    Take(Bound);
    Best.LowerBound = std::max(Best.LowerBound, Bound.Peak);
    const std::size_t Spent = Found.Work + Bound.Work;
    Work += Spent;
    if (Best.LowerBound == Best.Peak || Work > MostWork || Spent == Before) // nothing was cut off by work
      return Best;
    Before = Spent;
  }
}

} // namespace memshape::series_parallel
