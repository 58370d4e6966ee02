// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/series_parallel/Region.h"
#include "test/unit/model/RandomGraphs.h"

#include <gtest/gtest.h>

#include <array>

namespace memshape::series_parallel {
namespace {

using namespace graph;

using Jobs = std::uint32_t; ///< a set, as bits

bool has(Jobs Set, std::size_t Each) { return Set >> Each & 1; }

struct SharedOutput {
  Bytes Output;
  std::vector<std::uint32_t> Consumers; ///< chains
  Jobs Last;
};

/// Jobs in series and beside each other, a chain for each of them or for several, and what some of them share.
struct Parts {
  Sequences Sequence;
  Region Made;
  std::vector<Block> Of;                                       ///< the jobs
  std::vector<Jobs> Before;                                    ///< what each job waits for
  std::vector<std::pair<std::uint32_t, std::uint32_t>> Single; ///< chains of one job, and the job
  std::vector<SharedOutput> Shared;

  Parts(Random &R, std::uint32_t Count, std::int64_t Most) : Sequence(Count), Made(Sequence), Before(Count, 0) {
    for (std::uint32_t Each = 0; Each < Count; ++Each)
      Of.push_back({from(R, 0, Most), from(R, 0, Most), Each});
    add(R, 0, Count, from(R, 0, 1) != 0);
    for (std::int64_t I = from(R, 1, 3); I-- > 0;)
      share(R, Most);
  }

  Bytes held(Jobs Ended) const {
    Bytes Sum = 0;
    for (std::size_t Each = 0; Each < Of.size(); ++Each)
      if (has(Ended, Each))
        Sum += Of[Each].net();
    for (const SharedOutput &Each : Shared)
      if ((Each.Last & ~Ended) == 0)
        Sum -= Each.Output;
    return Sum;
  }

private:
  std::uint32_t add(Random &R, std::uint32_t Begin, std::uint32_t End, bool InSeries) {
    if (End - Begin == 1 || (InSeries && End - Begin < 4 && from(R, 0, 3) == 0)) {
      Chain Blocks;
      for (std::uint32_t Each = Begin; Each < End; ++Each) {
        follow(Sequence, Blocks, {Of[Each]});
        Before[Each] |= (Jobs(1) << Each) - (Jobs(1) << Begin);
      }
      const std::uint32_t Added = Made.addChain(Blocks);
      if (End - Begin == 1)
        Single.emplace_back(Added, Begin);
      return Added;
    }
    std::vector<std::uint32_t> Inner;
    for (std::uint32_t Next = Begin; Next < End;) {
      const bool All = Next > Begin && from(R, 0, 2) == 0;
      const std::uint32_t Here =
          All ? End : static_cast<std::uint32_t>(from(R, Next + 1, Next == Begin ? End - 1 : End));
      for (std::uint32_t Each = Next; InSeries && Each < Here; ++Each)
        Before[Each] |= (Jobs(1) << Next) - (Jobs(1) << Begin);
      Inner.push_back(add(R, Next, Here, !InSeries));
      Next = Here;
    }
    return InSeries ? Made.addSeries(Inner) : Made.addParallel(Inner);
  }

  void share(Random &R, std::int64_t Most) {
    SharedOutput New{from(R, 1, std::max<std::int64_t>(Most, 1)), {}, 0};
    std::shuffle(Single.begin(), Single.end(), R);
    Jobs Ordered = 0; // before or after what was taken
    for (const auto &[Leaf, Job] : Single) {
      if ((Before[Job] & New.Last) || has(Ordered, Job) || (New.Consumers.size() > 1 && from(R, 0, 2) == 0))
        continue;
      New.Consumers.push_back(Leaf);
      New.Last |= Jobs(1) << Job;
      Ordered |= Before[Job];
    }
    const bool Known = std::any_of(Shared.begin(), Shared.end(), [&](const auto &I) { return I.Last == New.Last; });
    if (New.Consumers.size() < 2 || Known)
      return;
    Made.share(New.Output, New.Consumers);
    Shared.push_back(New);
  }
};

/// What is held somewhere, and the rise to there.
struct Point {
  Bytes Peak, Held;
};

/// All sets of ended jobs, by the least rise to them from nothing, or backwards from all.
std::vector<Point> reached(const Parts &In, bool Backwards) {
  const std::size_t Count = In.Of.size();
  const Jobs All = (Jobs(1) << Count) - 1;
  std::vector<Bytes> Least(All + std::size_t(1), -1);
  const Bytes Begin = Backwards ? In.held(All) : 0;
  std::vector<Point> Found;
  for (Jobs I = 0; I <= All; ++I) {
    const Jobs Set = Backwards ? All - I : I;
    if (I == 0)
      Least[Set] = 0;
    for (std::size_t Each = 0; I > 0 && Each < Count; ++Each) {
      // The job that led here.
      const Jobs Other = Set ^ (Jobs(1) << Each), Less = Set & Other, More = Set | Other;
      if (has(Set, Each) == Backwards || Least[Other] < 0 || (In.Before[Each] & ~Less))
        continue;
      bool Closed = true;
      for (std::size_t Later = 0; Later < Count; ++Later)
        Closed &= !has(More, Later) || !(In.Before[Later] & ~More);
      if (!Closed)
        continue;
      const Bytes Peak = std::max(Least[Other], In.held(Less) + In.Of[Each].Up - Begin);
      Least[Set] = Least[Set] < 0 ? Peak : std::min(Least[Set], Peak);
    }
    bool Closed = Least[Set] >= 0;
    for (std::size_t Later = 0; Later < Count; ++Later)
      Closed &= !has(Set, Later) || !(In.Before[Later] & ~Set);
    if (Closed)
      Found.push_back({Least[Set], In.held(Set) - Begin});
    else
      Least[Set] = -1;
  }
  return Found;
}

/// The same along a chain.
std::vector<Point> reached(const Chain &Of, bool Backwards) {
  std::vector<Point> Found = {{0, 0}};
  for (std::size_t I = 0; I < Of.size(); ++I) {
    const Block &Each = Backwards ? Of[Of.size() - 1 - I] : Of[I];
    const auto [Peak, Held] = Found.back();
    Found.push_back(
        {std::max(Peak, Held + (Backwards ? Each.Down : Each.Up)), Held + (Backwards ? -Each.net() : Each.net())});
  }
  return Found;
}

/// Whether Left leads as low as Right wherever, with no higher rise.
bool isAsGood(const std::vector<Point> &Left, const std::vector<Point> &Right) {
  return std::all_of(Right.begin(), Right.end(), [&](const Point &Each) {
    return std::any_of(Left.begin(), Left.end(),
                       [&](const Point &Other) { return Other.Peak <= Each.Peak && Other.Held <= Each.Held; });
  });
}

/// That the blocks of a chain are those of the order in it.
void expectIsOrder(const Parts &In, const Chain &Of) {
  Jobs Ended = 0;
  for (const Block &Each : Of) {
    const Bytes Begin = In.held(Ended);
    Bytes Peak = Begin;
    In.Sequence.walk(
        Each.Jobs, [](std::uint32_t) { return false; },
        [&](std::uint32_t Job) {
          EXPECT_FALSE(has(Ended, Job) || (In.Before[Job] & ~Ended));
          Peak = std::max(Peak, In.held(Ended) + In.Of[Job].Up);
          Ended |= Jobs(1) << Job;
        });
    EXPECT_EQ(plain(Each.Up), plain(Peak - Begin));
    EXPECT_EQ(plain(Each.net()), plain(In.held(Ended) - Begin));
  }
  EXPECT_EQ(Ended, (Jobs(1) << In.Of.size()) - 1);
}

TEST(Region, ChainIsBestWhateverRunsBeside) {
  Random R(47);
  int Coupled = 0, Exact = 0;
  for (int I = 0; I < graph::randomCount(2000); ++I) {
    const std::int64_t Most = std::array{1, 3, 9, 100}[static_cast<std::size_t>(from(R, 0, 3))];
    Parts In(R, static_cast<std::uint32_t>(from(R, 2, 9)), Most);
    const std::size_t Work = from(R, 0, 1) ? SIZE_MAX : static_cast<std::size_t>(from(R, 0, 300));
    Region Again = In.Made;
    const Region::Result Found = In.Made.best(Work, Instead::Order), Bound = Again.best(Work, Instead::Bound);
    Coupled += In.Shared.size() == 1 && Work == SIZE_MAX;
    Exact += In.Shared.size() == 1 && Work == SIZE_MAX && Found.Exact;
    ASSERT_NO_FATAL_FAILURE(expectIsOrder(In, Found.Best)) << "region " << I;
    for (const bool Backwards : {false, true}) {
      const std::vector<Point> Truth = reached(In, Backwards);
      ASSERT_TRUE(isAsGood(Truth, reached(Found.Best, Backwards))) << "region " << I;
      ASSERT_TRUE(!Found.Exact || isAsGood(reached(Found.Best, Backwards), Truth)) << "region " << I;
      ASSERT_TRUE(isAsGood(reached(Bound.Best, Backwards), Truth)) << "region " << I;
    }
  }
  // One output that is shared leaves nothing open.
  EXPECT_GT(Exact, 0);
  EXPECT_EQ(Exact, Coupled);
}

TEST(Region, WhatNeitherRisesNorFallsHidesNoFall) {
  // 0 before 1, both beside 2; 1 and 2 share 3 bytes. What 0 leads to is as much as nothing.
  Sequences Jobs(3);
  Region Made(Jobs);
  const std::uint32_t Nothing = Made.addChain({{0, 0, 0}}), First = Made.addChain({{1, 0, 1}});
  const std::uint32_t Series = Made.addSeries({Nothing, First}), Second = Made.addChain({{1, 0, 2}});
  Made.addParallel({Series, Second});
  Made.share(3, {First, Second});
  const Region::Result Found = Made.best(SIZE_MAX, Instead::Order);
  EXPECT_TRUE(Found.Exact);
  ASSERT_EQ(Found.Best.size(), 1u);
  EXPECT_EQ(plain(Found.Best.front().Up), 2);
  EXPECT_EQ(plain(Found.Best.front().Down), 3);
}

} // namespace
} // namespace memshape::series_parallel
