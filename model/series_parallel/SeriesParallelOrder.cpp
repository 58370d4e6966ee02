//===- SeriesParallelOrder.cpp --------------------------------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "model/series_parallel/SeriesParallelOrder.h"
#include "model/graph/Profile.h"
#include "model/series_parallel/Releases.h"

#include <algorithm>
#include <queue>
#include <set>

namespace memshape::series_parallel {

namespace {

using Kind = Decomposition::Kind;

/// Jobs that follow each other: they rise by Up at most, and end Down below that.
struct Block {
  Bytes Up = 0, Down = 0;
  std::uint32_t First = None, Last = None;

  Bytes net() const { return Up - Down; }
  /// What ends below its beginning comes first, that with the least rise of all; then what falls furthest from its top.
  bool operator<(const Block &Other) const {
    const bool Falls = Up < Down, OtherFalls = Other.Up < Other.Down;
    if (Falls != OtherFalls)
      return Falls;
    return Falls ? Up < Other.Up : Down > Other.Down;
  }
};

using Blocks = std::multiset<Block>; // those of one chain are never equal

/// The best order of jobs that rise by Up and then fall by Down, whatever the order is.
class Merging {
public:
  explicit Merging(const Decomposition &Of) : Of(Of), BottomUp(Of.bottomUp()) {}

  struct Result {
    std::vector<std::uint32_t> Jobs;
    Bytes Peak = 0;
  };
  Result best(const std::vector<Bytes> &Up, const std::vector<Bytes> &Down) {
    Next.assign(Of.Jobs, None);
    std::vector<Blocks> Done; // of parts whose owner has not ended, in the order in which these come
    for (std::uint32_t Each : BottomUp) {
      const Decomposition::Part &Part = Of.Parts[Each];
      if (Part.Is == Kind::Job) {
        const std::uint32_t Job = Part.Job;
        Done.push_back({Block{Up[Job], Down[Job], Job, Job}});
        continue;
      }
      const std::size_t Begin = Done.size() - Part.Parts.size();
      for (std::size_t I = Begin + 1; I < Done.size(); ++I) {
        if (Part.Is == Kind::Series)
          joinEnds(Done[Begin], Done[I]);
        unite(Done[Begin], Done[I]);
      }
      Done.resize(Begin + 1);
    }
    Result Found;
    Bytes Held = 0;
    for (const Blocks &All : Done)
      for (const Block &Each : All) {
        Found.Peak = std::max(Found.Peak, Held + Each.Up);
        Held += Each.net();
        for (std::uint32_t Job = Each.First; Job != None; Job = Next[Job])
          Found.Jobs.push_back(Job);
      }
    return Found;
  }

private:
  Block joined(const Block &Before, const Block &After) {
    Next[Before.Last] = After.First;
    const Bytes Up = std::max(Before.Up, Before.net() + After.Up);
    return {Up, Up - Before.net() - After.net(), Before.First, After.Last};
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
    Block Middle = joined(Last, taken(After, After.begin()));
    for (bool Again = true; Again;) {
      Again = false;
      if (!Before.empty() && !(*Before.rbegin() < Middle)) {
        Middle = joined(taken(Before, std::prev(Before.end())), Middle);
        Again = true;
      }
      if (!After.empty() && !(Middle < *After.begin())) {
        Middle = joined(Middle, taken(After, After.begin()));
        Again = true;
      }
    }
    Before.insert(Middle);
  }

  static void unite(Blocks &Into, Blocks &From) {
    if (Into.size() < From.size())
      std::swap(Into, From);
    Into.merge(From);
  }

  const Decomposition &Of;
  std::vector<std::uint32_t> BottomUp;
  std::vector<std::uint32_t> Next; ///< job that runs after this one, in the same block
};

/// The best orders for shares, in one graph.
class Sharing {
public:
  Sharing(const Graph &Of, Decomposition Found) : Of(Of), Parts(std::move(Found)), Ends(releasesOf(Of, Parts)) {
    Up.assign(Parts.Jobs, 0);
    Fixed = Ends.Frees;
    for (Node Each = 0; Each < Of.size(); ++Each) {
      Up[Each] = Bytes(Of[Each].Output) + Of[Each].Work;
      Fixed[Each] += Of[Each].Work;
    }
    for (const OpenRelease &Each : Ends.Open)
      Shares.emplace_back(Each.Last.size(), 1.0 / static_cast<double>(Each.Last.size()));
  }

  /// Parts that may run at the same time, each of which has a consumer that may be the last one of the same output.
  struct Branches {
    std::vector<std::uint32_t> First, Rest; ///< jobs, those of First after no other ones of the branches
  };

  /// Those of the largest open output.
  Branches largestOpen() const {
    const auto Largest =
        std::max_element(Ends.Open.begin(), Ends.Open.end(), [&](const OpenRelease &Left, const OpenRelease &Right) {
          return Of[Left.Of].Output < Of[Right.Of].Output;
        });
    Branches Found;
    if (Largest == Ends.Open.end())
      return Found;
    struct Inner {
      std::uint32_t Part;
      bool First;
    };
    std::vector<Inner> Inside;
    for (std::uint32_t Each : Largest->Branches)
      Inside.push_back({Each, true});
    while (!Inside.empty()) {
      const auto [Part, First] = Inside.back();
      Inside.pop_back();
      const Decomposition::Part &Now = Parts.Parts[Part];
      if (Now.Is == Kind::Job)
        (First ? Found.First : Found.Rest).push_back(Now.Job);
      for (std::uint32_t Each : Now.Parts)
        Inside.push_back({Each, First && (Now.Is == Kind::Parallel || Each == Now.Parts.front())});
    }
    return Found;
  }

  /// Ends where an order is best, where no order is below Known, and after the rounds.
  SeriesParallelOrder run(Bytes Known, int MostRounds) {
    Merging Parallel(Parts);
    for (int Round = 0;; ++Round) {
      Merging::Result Now = Parallel.best(Up, downs());
      std::erase_if(Now.Jobs, [&](std::uint32_t Job) { return Job >= Of.size(); });
      const Bytes Peak = graph::peakOf(Of, Now.Jobs);
      Best.LowerBound = std::max(Best.LowerBound, Now.Peak);
      if (Round == 0 || Peak < Best.Peak) {
        Best.Order = Now.Jobs;
        Best.Peak = Peak;
      }
      if (std::min(Known, Best.Peak) <= Best.LowerBound || Round + 1 >= MostRounds)
        return std::move(Best);
      share(Now.Jobs, Round);
    }
  }

private:
  std::vector<Bytes> downs() const {
    std::vector<Bytes> Down = Fixed;
    for (std::size_t I = 0; I < Shares.size(); ++I) {
      const OpenRelease &Each = Ends.Open[I];
      Bytes Left = Of[Each.Of].Output;
      for (std::size_t J = 0; J < Each.Last.size(); ++J) {
        const auto Share = static_cast<Bytes>(Shares[I][J] * static_cast<double>(Of[Each.Of].Output));
        const Bytes Part = J + 1 == Each.Last.size() ? Left : std::clamp<Bytes>(Share, 0, Left);
        Down[Each.Last[J]] += Part;
        Left -= Part;
      }
    }
    return Down;
  }

  /// The last consumer gets all; in every fourth round, shares are the mean of those
  /// (fictitious play, Brown 1951: order against shares).
  void share(const std::vector<Node> &Order, int Round) {
    std::vector<std::size_t> Place(Of.size());
    for (std::size_t At = 0; At < Order.size(); ++At)
      Place[Order[At]] = At;
    Means.resize(Shares.size());
    for (std::size_t I = 0; I < Shares.size(); ++I) {
      const std::vector<Node> &Last = Ends.Open[I].Last;
      const auto Latest =
          std::max_element(Last.begin(), Last.end(), [&](Node Left, Node Right) { return Place[Left] < Place[Right]; });
      Means[I].resize(Last.size(), 0);
      for (std::size_t J = 0; J < Last.size(); ++J) {
        const double All = Last[J] == *Latest ? 1 : 0;
        Means[I][J] += (All - Means[I][J]) / (Round + 1);
        Shares[I][J] = Round % 4 == 3 ? Means[I][J] : All;
      }
    }
  }

  const Graph &Of;
  Decomposition Parts;
  Releases Ends;
  std::vector<Bytes> Up, Fixed;                   ///< of each job
  std::vector<std::vector<double>> Shares, Means; ///< of each open output, for each of its possible last consumers
  SeriesParallelOrder Best;
};

/// Which job is the first one of those that come before the end of an open output: the others follow it, and the graph
/// stays series-parallel.
class Branching {
public:
  Branching(const Graph &Of, std::size_t MostWork) : Of(Of) {
    const std::size_t MostSolved = MostWork / (Of.size() + Of.edges() + 1);
    Rounds = static_cast<int>(std::clamp<std::size_t>(MostSolved, 1, MostRounds));
    MostTries = 1 + MostSolved / MostRounds;
  }

  std::optional<SeriesParallelOrder> run() {
    if (!add({}, 0))
      return std::nullopt;
    for (std::size_t Tries = 1; !Waiting.empty() && Waiting.top().Bound < Best.Peak && Tries < MostTries;) {
      const Branch Now = Waiting.top();
      Waiting.pop();
      for (std::uint32_t First : Now.Next.First) {
        ++Tries;
        if (!add(afterwards(Now, First), Now.Bound))
          Stuck = std::min(Stuck, Now.Bound);
      }
    }
    const Bytes Open = Waiting.empty() ? Best.Peak : Waiting.top().Bound;
    Best.LowerBound = std::min({Best.Peak, Open, Stuck});
    return std::move(Best);
  }

private:
  static constexpr std::size_t MostRounds = 16;

  struct Branch {
    Bytes Bound = 0;
    Rerouting As;
    Sharing::Branches Next;
    bool operator<(const Branch &Other) const { return Bound > Other.Bound; }
  };

  /// The graph in which First comes before the others of its branches.
  Rerouting afterwards(const Branch &Now, std::uint32_t First) const {
    Rerouting As = Now.As;
    std::optional<Node> Before = Of.inputs(First).size() == 1 ? std::optional(Of.inputs(First).front()) : std::nullopt;
    for (std::uint32_t Other : Now.Next.First) {
      const auto Known =
          std::find_if(As.Instead.begin(), As.Instead.end(), [&](Rerouting::Edge Each) { return Each.To == Other; });
      if (Known != As.Instead.end()) {
        Before = Known->From;
        if (Other != First)
          Known->From = First;
      } else if (Other != First) {
        As.Instead.push_back({First, Other});
      }
    }
    // What the branches read from before them, they do after First now.
    if (Before)
      for (std::uint32_t Other : Now.Next.Rest)
        if (Other < Of.size() && reads(Other, *Before))
          As.Without.push_back({*Before, Other});
    return As;
  }

  bool reads(Node Each, Node Input) const {
    return std::find(Of.inputs(Each).begin(), Of.inputs(Each).end(), Input) != Of.inputs(Each).end();
  }

  /// Whether the graph is series-parallel. Then it waits to be branched on if no order has met its bound.
  bool add(Rerouting As, Bytes Bound) {
    std::optional<Decomposition> Parts = decompose(Of, As);
    if (!Parts)
      return false;
    Sharing Shares(Of, std::move(*Parts));
    SeriesParallelOrder Found = Shares.run(Best.Order.empty() ? Beyond : Best.Peak, Rounds);
    Bound = std::max(Bound, Found.LowerBound);
    if (Best.Order.empty() || Found.Peak < Best.Peak)
      Best = std::move(Found);
    if (Bound >= Best.Peak)
      return true;
    Sharing::Branches Next = Shares.largestOpen();
    if (Next.First.empty() ||
        std::any_of(Next.First.begin(), Next.First.end(), [&](std::uint32_t Job) { return Job >= Of.size(); }))
      Stuck = std::min(Stuck, Bound);
    else
      Waiting.push({Bound, std::move(As), std::move(Next)});
    return true;
  }

  static constexpr Bytes Beyond = Bytes(1) << 126; // any sum

  const Graph &Of;
  int Rounds = 1; ///< of shares, for each graph
  std::size_t MostTries = 1;
  SeriesParallelOrder Best;
  std::priority_queue<Branch> Waiting;
  Bytes Stuck = Beyond; ///< the least bound of what cannot be looked at further
};

} // namespace

std::optional<SeriesParallelOrder> seriesParallelOrder(const Graph &Of, std::size_t MostWork) {
  return Branching(Of, MostWork).run();
}

} // namespace memshape::series_parallel
