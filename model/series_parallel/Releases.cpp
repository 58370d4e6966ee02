// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/series_parallel/Releases.h"

#include <algorithm>
#include <bit>
#include <map>

namespace memshape::series_parallel {

namespace {

using Kind = Decomposition::Kind;

/// Where the jobs stand in the tree of parts.
class Places {
public:
  Places(const Decomposition &Of, std::size_t Count)
      : Of(Of), Place(Count), FirstPlace(Of.Parts.size()), Depth(Of.Parts.size(), 0), BlockedAt(Of.Parts.size(), 0) {
    std::vector<std::uint32_t> Order = Of.bottomUp();
    std::reverse(Order.begin(), Order.end());
    for (std::uint32_t Each : Order)
      for (std::uint32_t Inner : Of.Parts[Each].Parts) {
        Depth[Inner] = Depth[Each] + 1;
        const bool Last = Of.Parts[Each].Is == Kind::Parallel || Inner == Of.Parts[Each].Parts.back();
        BlockedAt[Inner] = Last ? BlockedAt[Each] : Depth[Each] + 1;
      }
    std::reverse(Order.begin(), Order.end());
    // Bottom up, the jobs stand from the left to the right.
    std::uint32_t Jobs = 0;
    for (std::uint32_t Each : Order)
      if (Of.Parts[Each].Is == Kind::Job) {
        FirstPlace[Each] = Jobs;
        Part.push_back(Each);
        if (Of.Parts[Each].Job < Count)
          Place[Of.Parts[Each].Job] = Jobs;
        ++Jobs;
      } else {
        FirstPlace[Each] = FirstPlace[Of.Parts[Each].Parts.front()];
      }
    setBetween(Order);
  }

  std::uint32_t placeOf(Node Each) const { return Place[Each]; }

  /// The deepest part that has the jobs at these places, of which Left is less.
  std::uint32_t common(std::uint32_t Left, std::uint32_t Right) const {
    std::uint32_t Found = None;
    for (std::size_t I = Left + Leaves, J = Right + Leaves; I < J; I /= 2, J /= 2) {
      if (I % 2)
        Found = shallower(Found, Between[I++]);
      if (J % 2)
        Found = shallower(Found, Between[--J]);
    }
    return Found;
  }

  std::uint32_t shallower(std::uint32_t Left, std::uint32_t Right) const {
    if (Left == None || Right == None)
      return Left == None ? Right : Left;
    return Depth[Right] < Depth[Left] ? Right : Left;
  }
  std::uint32_t depth(std::uint32_t Each) const { return Depth[Each]; }

  /// Which of the parts of Each has the job at a place.
  std::uint32_t branch(std::uint32_t Each, std::uint32_t At) const {
    const std::vector<std::uint32_t> &Parts = Of.Parts[Each].Parts;
    const auto After = std::upper_bound(Parts.begin(), Parts.end(), At, [&](std::uint32_t Here, std::uint32_t Inner) {
      return Here < FirstPlace[Inner];
    });
    return static_cast<std::uint32_t>(After - Parts.begin()) - 1;
  }

  /// Whether no job of the part comes after the one at a place, which it has.
  bool endsPart(std::uint32_t At, std::uint32_t Each) const { return BlockedAt[Part[At]] <= Depth[Each]; }

private:
  /// For each place the deepest part that has its job and the next one; a tree of the least deep.
  void setBetween(const std::vector<std::uint32_t> &BottomUp) {
    Leaves = std::bit_ceil(Part.size() + 1);
    Between.assign(2 * Leaves, None);
    for (std::uint32_t Each : BottomUp)
      for (std::size_t I = 1; I < Of.Parts[Each].Parts.size(); ++I)
        Between[Leaves + FirstPlace[Of.Parts[Each].Parts[I]] - 1] = Each;
    for (std::size_t I = Leaves; I-- > 1;)
      Between[I] = shallower(Between[2 * I], Between[2 * I + 1]);
  }

  const Decomposition &Of;
  std::vector<std::uint32_t> Place, Part;       ///< of each node; the part at each place
  std::vector<std::uint32_t> FirstPlace, Depth; ///< of each part
  /// The depth of the deepest part that ends no earlier than what it has, and below which some job comes after this
  /// one: parts of that depth and deeper end with it.
  std::vector<std::uint32_t> BlockedAt;
  std::vector<std::uint32_t> Between;
  std::size_t Leaves = 1;
};

/// Outputs that one job may free: parallel parts, all of which end with the nodes that read the output.
struct Group {
  std::vector<std::uint32_t> Branches; ///< of one part, ascending
  OpenRelease Release;
};

class Finder {
public:
  Finder(const Graph &Of, Decomposition &Parts) : Of(Of), Parts(Parts), Where(Parts, Of.size()) { countEnds(); }

  Releases run() {
    Found.Frees.assign(Parts.Jobs, 0);
    for (Node Each = 0; Each < Of.size(); ++Each)
      if (Of[Each].Output > 0 && !Of.consumers(Each).empty())
        find(Each);
    for (auto &[Outer, Groups] : GroupsOf)
      addJobs(Outer, Groups);
    return std::move(Found);
  }

private:
  /// How many jobs of each part have none of the part after them.
  void countEnds() {
    Ends.assign(Parts.Parts.size(), 1);
    for (std::uint32_t Each : Parts.bottomUp())
      if (Parts.Parts[Each].Is == Kind::Series) {
        Ends[Each] = Ends[Parts.Parts[Each].Parts.back()];
      } else if (Parts.Parts[Each].Is == Kind::Parallel) {
        Ends[Each] = 0;
        for (std::uint32_t Inner : Parts.Parts[Each].Parts)
          Ends[Each] += Ends[Inner];
      }
  }

  /// Places of the consumers that no other consumer comes after.
  std::vector<std::uint32_t> lastPlaces(Node Each) const {
    std::vector<std::uint32_t> Places, Last;
    for (Node Reader : Of.consumers(Each))
      Places.push_back(Where.placeOf(Reader));
    std::sort(Places.begin(), Places.end());
    // From the right: parts that some later consumer and this one have as their deepest, the deepest of these last.
    struct Common {
      std::uint32_t Depth;
      bool Before; ///< this part, or one that is less deep, is a series
    };
    std::vector<Common> Outer;
    for (std::size_t I = Places.size(); I-- > 0;) {
      if (I + 1 < Places.size()) {
        const std::uint32_t Part = Where.common(Places[I], Places[I + 1]), Depth = Where.depth(Part);
        while (!Outer.empty() && Outer.back().Depth >= Depth)
          Outer.pop_back();
        Outer.push_back({Depth, Parts.Parts[Part].Is == Kind::Series || (!Outer.empty() && Outer.back().Before)});
      }
      if (Outer.empty() || !Outer.back().Before)
        Last.push_back(Places[I]);
    }
    std::reverse(Last.begin(), Last.end());
    return Last;
  }

  void find(Node Each) {
    const std::vector<std::uint32_t> Last = lastPlaces(Each);
    OpenRelease Release{Each, Of[Each].Output, {}};
    for (Node Reader : Of.consumers(Each))
      if (std::binary_search(Last.begin(), Last.end(), Where.placeOf(Reader)))
        Release.Last.push_back(Reader);
    if (Last.size() == 1) {
      Found.Frees[Release.Last.front()] += Of[Each].Output;
      return;
    }
    const std::uint32_t Outer = Where.common(Last.front(), Last.back());
    Group Made{{}, std::move(Release)};
    std::size_t Ending = 0;
    bool AllEnd = true;
    for (std::uint32_t At : Last) {
      const std::uint32_t Branch = Where.branch(Outer, At), Inner = Parts.Parts[Outer].Parts[Branch];
      AllEnd &= Where.endsPart(At, Inner);
      if (!Made.Branches.empty() && Made.Branches.back() == Branch)
        continue;
      Made.Branches.push_back(Branch);
      Ending += Ends[Inner];
    }
    if (AllEnd && Ending == Last.size())
      GroupsOf[Outer].push_back(std::move(Made));
    else
      Found.Open.push_back(std::move(Made.Release));
  }

  /// Groups of branches that hold each other, or have none in common, get a job after them; others stay open.
  void addJobs(std::uint32_t Outer, std::vector<Group> &Groups) {
    std::sort(Groups.begin(), Groups.end(), [](const Group &Left, const Group &Right) {
      return Left.Branches.size() != Right.Branches.size() ? Left.Branches.size() < Right.Branches.size()
                                                           : Left.Release.Of < Right.Release.Of;
    });
    const std::vector<std::uint32_t> Branches = Parts.Parts[Outer].Parts;
    std::vector<std::uint32_t> Now = Branches;               // what each branch has become a part of
    std::map<std::uint32_t, std::vector<std::uint32_t>> Has; // branches of what was made
    for (Group &Each : Groups) {
      std::vector<std::uint32_t> Joined;
      for (std::uint32_t Branch : Each.Branches)
        Joined.push_back(Now[Branch]);
      std::sort(Joined.begin(), Joined.end());
      Joined.erase(std::unique(Joined.begin(), Joined.end()), Joined.end());
      std::size_t Covered = 0;
      for (std::uint32_t Part : Joined)
        Covered += Has.contains(Part) ? Has[Part].size() : 1;
      if (Covered != Each.Branches.size()) {
        Found.Open.push_back(std::move(Each.Release));
        continue;
      }
      const std::uint32_t Before = Joined.size() == 1 ? Joined.front() : Parts.add(Kind::Parallel, Joined);
      const std::uint32_t Made = Parts.add(Kind::Series, {Before, Parts.addJob(Parts.Jobs++)});
      Found.Frees.push_back(Of[Each.Release.Of].Output);
      for (std::uint32_t Branch : Each.Branches)
        Now[Branch] = Made;
      Has[Made] = Each.Branches;
    }
    std::sort(Now.begin(), Now.end());
    Now.erase(std::unique(Now.begin(), Now.end()), Now.end());
    Parts.Parts[Outer].Parts = std::move(Now);
  }

  const Graph &Of;
  Decomposition &Parts;
  Places Where;
  std::vector<std::size_t> Ends;
  std::map<std::uint32_t, std::vector<Group>> GroupsOf; ///< of a parallel part
  Releases Found;
};

} // namespace

Releases releasesOf(const Graph &Of, Decomposition &Parts) { return Finder(Of, Parts).run(); }

} // namespace memshape::series_parallel
