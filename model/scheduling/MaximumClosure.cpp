// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/scheduling/MaximumClosure.h"

#include <algorithm>

namespace memshape::scheduling {

using graph::Bytes;

namespace {

/// Dinic's algorithm. Paths are walked without recursion.
class Flow {
public:
  explicit Flow(std::uint32_t Vertices) : Head(Vertices, None), Level(Vertices), At(Vertices) {}

  void add(std::uint32_t From, std::uint32_t To, Bytes Capacity) {
    Arcs.push_back({To, Head[From], Capacity});
    Head[From] = static_cast<std::uint32_t>(Arcs.size() - 1);
    Arcs.push_back({From, Head[To], 0});
    Head[To] = static_cast<std::uint32_t>(Arcs.size() - 1);
  }

  /// Bytes that flow at most.
  Bytes run(std::uint32_t Source, std::uint32_t Sink) {
    Bytes Sum = 0;
    while (layers(Source, Sink)) {
      At = Head;
      while (const Bytes More = augment(Source, Sink))
        Sum += More;
    }
    return Sum;
  }

  /// After run(): it lies on the source's side of the cut with the fewest vertices there.
  bool reached(std::uint32_t Vertex) const { return Level[Vertex] != None; }

private:
  static constexpr std::uint32_t None = UINT32_MAX;
  struct Arc {
    std::uint32_t To, Next;
    Bytes Left;
  };

  bool layers(std::uint32_t Source, std::uint32_t Sink) {
    std::fill(Level.begin(), Level.end(), None);
    Queue.assign(1, Source);
    Level[Source] = 0;
    for (std::size_t I = 0; I < Queue.size(); ++I)
      for (std::uint32_t Each = Head[Queue[I]]; Each != None; Each = Arcs[Each].Next)
        if (Arcs[Each].Left > 0 && Level[Arcs[Each].To] == None) {
          Level[Arcs[Each].To] = Level[Queue[I]] + 1;
          Queue.push_back(Arcs[Each].To);
        }
    return Level[Sink] != None;
  }

  /// One more path through the layers; 0 where there is none.
  Bytes augment(std::uint32_t Source, std::uint32_t Sink) {
    Path.clear();
    for (std::uint32_t Now = Source; Now != Sink;) {
      std::uint32_t &Each = At[Now];
      while (Each != None && !(Arcs[Each].Left > 0 && Level[Arcs[Each].To] == Level[Now] + 1))
        Each = Arcs[Each].Next;
      if (Each != None) {
        Path.push_back(Each);
        Now = Arcs[Each].To;
      } else if (Path.empty()) {
        return 0;
      } else { // a dead end: back, and past the arc that led here
        Now = Arcs[Path.back() ^ 1].To;
        At[Now] = Arcs[Path.back()].Next;
        Path.pop_back();
      }
    }
    Bytes Least = Arcs[Path.front()].Left;
    for (std::uint32_t Each : Path)
      Least = std::min(Least, Arcs[Each].Left);
    for (std::uint32_t Each : Path) {
      Arcs[Each].Left -= Least;
      Arcs[Each ^ 1].Left += Least;
    }
    return Least;
  }

  std::vector<Arc> Arcs; ///< an arc and its reverse follow each other
  std::vector<std::uint32_t> Head, Level, At, Queue, Path;
};

} // namespace

MaximumClosure::Item MaximumClosure::add(Bytes Profit) {
  Profits.push_back(Profit);
  return static_cast<Item>(Profits.size() - 1);
}

MaximumClosure::Choice MaximumClosure::best() const {
  const auto Count = static_cast<std::uint32_t>(Profits.size());
  const std::uint32_t Source = Count, Sink = Count + 1;
  Bytes All = 0;
  Flow Through(Count + 2);
  for (Item Each = 0; Each < Count; ++Each)
    if (Profits[Each] > 0) {
      Through.add(Source, Each, Profits[Each]);
      All += Profits[Each];
    } else if (Profits[Each] < 0) {
      Through.add(Each, Sink, -Profits[Each]);
    }
  for (const Requirement &Each : Required)
    Through.add(Each.By, Each.Other, All + 1);
  Choice Best;
  Best.Profit = All - Through.run(Source, Sink);
  Best.Taken.resize(Count);
  for (Item Each = 0; Each < Count; ++Each)
    Best.Taken[Each] = Through.reached(Each);
  return Best;
}

} // namespace memshape::scheduling
