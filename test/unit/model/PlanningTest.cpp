// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "model/planning/Planner.h"

#include "Gives.h"
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <random>

namespace memshape::planning {
using Runs = std::vector<ChunkRun>;

/// Each element takes so many bytes in the call, and 4 in input and output.
static std::function<TaskBytes(const std::vector<std::int64_t> &)> perElement(std::uint64_t Bytes,
                                                                              std::uint64_t More = 0) {
  return [=](const std::vector<std::int64_t> &Extents) {
    std::uint64_t Elements = 1;
    for (std::int64_t Each : Extents)
      Elements = multiply(Elements, static_cast<std::uint64_t>(Each));
    const std::uint64_t Own = add(multiply(Elements, Bytes), More);
    return TaskBytes{Own, Own, multiply(Elements, 4), multiply(Elements, 4)};
  };
}

static ChunkRequest cube(std::vector<Axis> Axes, std::uint64_t BytesPerElement, std::uint64_t Limit) {
  ChunkRequest P;
  P.sink = Sink::store;
  P.source = Source::blocks;
  P.axes = std::move(Axes);
  P.task = perElement(BytesPerElement);
  P.limit_bytes = Limit;
  P.input_bytes = P.output_bytes = 4;
  for (const Axis &Each : P.axes)
    P.input_bytes = P.output_bytes = multiply(P.input_bytes, static_cast<std::uint64_t>(Each.extent));
  return P;
}

TEST(Chunks, AreAsEvenAsPossible) {
  EXPECT_EQ(chunksOf({10, 0, 1, true}, 3), (Runs{{4, 1}, {3, 2}}));
  EXPECT_EQ(chunksOf({12, 0, 1, true}, 3), (Runs{{4, 3}}));
}

TEST(Chunks, BeginAtMultiplesOfTheAlignment) {
  EXPECT_EQ(chunksOf({10, 0, 4, true}, 2), (Runs{{4, 1}, {6, 1}}));
  EXPECT_EQ(chunksOf({10, 0, 4, true}, 3), (Runs{{4, 2}, {2, 1}}));
  EXPECT_FALSE(chunksOf({10, 0, 4, true}, 4));
}

TEST(Chunks, AreNotShorterThanTheHalo) {
  EXPECT_TRUE(chunksOf({10, 5, 1, true}, 2));
  EXPECT_FALSE(chunksOf({10, 5, 1, true}, 3));
  EXPECT_FALSE(chunksOf({10, 3, 4, true}, 3)) << "the last chunk has two elements";
  EXPECT_EQ(mostChunks({10, 3, 4, true}), 2);
}

TEST(Chunks, HalosEndAtTheFaces) {
  const Axis A{12, 2, 1, true};
  EXPECT_EQ(taskExtents(A, *chunksOf(A, 3)), (std::vector<std::int64_t>{8, 6}));
  EXPECT_EQ(taskExtents(A, *chunksOf(A, 2)), (std::vector<std::int64_t>{8}));
  EXPECT_EQ(taskExtents(A, *chunksOf(A, 1)), (std::vector<std::int64_t>{12}));
}

TEST(Chunks, TheLongestTaskIsThatOfTheChunks) {
  for (std::int64_t Extent : {1, 2, 7, 24, 97})
    for (std::int64_t Halo : {0, 1, 3})
      for (std::int64_t Align : {1, 4, 5})
        for (std::int64_t Count = 1; Count <= Extent; ++Count) {
          const Axis A{Extent, Halo, Align, true};
          const auto Chunks = chunksOf(A, Count);
          ASSERT_EQ(longestTask(A, Count).has_value(), Chunks.has_value());
          if (!Chunks)
            continue;
          EXPECT_EQ(*longestTask(A, Count), taskExtents(A, *Chunks).front());
          EXPECT_LE(Count, mostChunks(A));
          std::int64_t Sum = 0, Number = 0;
          for (const ChunkRun &Run : *Chunks) {
            Sum += Run.length * Run.times;
            Number += Run.times;
          }
          EXPECT_EQ(Sum, Extent);
          EXPECT_EQ(Number, Count);
        }
}

/// docs/chunks.md: two workers of one thread, six tasks.
static ChunkRequest twoWorkers(Sink Into, Source From = Source::blocks) {
  ChunkRequest W;
  W.workers = 2;
  W.held_bytes = 175;
  W.sink = Into;
  W.source = From;
  return W;
}

constexpr Job SixTasks = {6, true, 48, 48};
constexpr TaskBytes OfTen = {240, 230, 10, 10};

TEST(WorkerMemory, IsTheMeasuredRule) {
  const WorkerParts Upper = workerBytes(twoWorkers(Sink::gather), SixTasks, OfTen, true);
  EXPECT_EQ(Upper.blocks, 48u / 2);
  EXPECT_EQ(Upper.copies, 10u);
  EXPECT_EQ(Upper.results, 2u * 10) << "of three tasks, the last holds its result itself";
  EXPECT_EQ(Upper.slack, 5u) << "a part in 64 of 240 + 10 + 24 + 10 + 20, rounded up";
  EXPECT_EQ(Upper.during(), 175u + (240 + 10) + 24 + 10 + 20 + 5);
  // 2.05 * 48; three results with their halo, 10 instead of 8; one result more.
  EXPECT_EQ(Upper.at_end(), 175u + 99 + 3 * (10 - 8) + 10);
}

TEST(WorkerMemory, BlocksGoAsResultsCome) {
  const WorkerParts Expected = workerBytes(twoWorkers(Sink::gather), SixTasks, OfTen, false);
  EXPECT_EQ(Expected.blocks, 48u / 2);
  EXPECT_EQ(Expected.results, 0u);
  EXPECT_EQ(Expected.copies, 10u - 8) << "pieces of neighbours";
  EXPECT_EQ(Expected.during(), 175u + (230 + 10) + 24 + 2);
  EXPECT_EQ(Expected.at_end(), 175u + 2 * 48 + 3 * (10 - 8));
}

TEST(WorkerMemory, TasksThatReadFromStorageKeepNoBlocks) {
  const WorkerParts Expected = workerBytes(twoWorkers(Sink::persist, Source::storage), SixTasks, OfTen, false);
  EXPECT_EQ(Expected.blocks + Expected.copies, 0u);
  EXPECT_EQ(Expected.during(), 175u + (230 + 10) + 2 * 10);
}

TEST(WorkerMemory, AResultThatIsStoredMayWaitBehindTheNextCall) {
  EXPECT_EQ(workerBytes(twoWorkers(Sink::store), SixTasks, OfTen, false).results, 0u);
  EXPECT_EQ(workerBytes(twoWorkers(Sink::store), SixTasks, OfTen, true).results, 10u);
  // Who reads the input writes the result.
  ChunkRequest W = twoWorkers(Sink::store, Source::storage);
  EXPECT_EQ(workerBytes(W, SixTasks, OfTen, true).results, 0u);
  // Of several threads, one frees its result while the calls of others run.
  W.threads = 2;
  EXPECT_EQ(workerBytes(W, SixTasks, OfTen, true).results, 10u);
}

TEST(WorkerMemory, NoResultIsCountedTwice) {
  // Both tasks run at a time, and have their results.
  ChunkRequest W = twoWorkers(Sink::gather);
  W.workers = 1;
  W.threads = 2;
  const WorkerParts Upper = workerBytes(W, {2, false, 20, 20}, OfTen, true);
  EXPECT_EQ(Upper.results, 0u);
  EXPECT_EQ(Upper.during(), 175u + 2 * (240 + 10) + 8);
}

TEST(WorkerMemory, NothingWaitsWithoutNeighbours) {
  ChunkRequest W;
  W.sink = Sink::store;
  W.workers = 2;
  const TaskBytes Task{240, 240, 10, 10};
  const WorkerParts Expected = workerBytes(W, {4, false, 32, 32}, Task, false);
  EXPECT_EQ(Expected.blocks, 0u);
  EXPECT_EQ(Expected.copies, 0u);
  EXPECT_EQ(Expected.during(), 240u + 10);
}

TEST(WorkerMemory, ThreadsRunTogether) {
  ChunkRequest W;
  W.sink = Sink::store;
  W.threads = 3;
  EXPECT_EQ(workerBytes(W, {2, false, 32, 32}, {240, 200, 10, 10}, true).operators, 480u);
  EXPECT_EQ(workerBytes(W, {9, false, 32, 32}, {240, 200, 10, 10}, true).operators, 720u);
  EXPECT_EQ(workerBytes(W, {9, false, 32, 32}, {240, 200, 10, 10}, false).operators, 600u - 2 * 200 / 8);
  W.sink = Sink::persist;
  EXPECT_EQ(workerBytes(W, {9, false, 90, 90}, {240, 200, 10, 10}, true).results, 6u * 10);
  EXPECT_EQ(workerBytes(W, {9, false, 90, 90}, {240, 200, 10, 10}, false).results, 3u * 10);
}

TEST(Planner, WhatFitsWholeIsOneTask) {
  ASSERT_GIVES(const ChunkPlan Found, plan(cube({{10, 0, 1, true}, {10, 0, 1, true}}, 44, 1 << 20)));
  EXPECT_EQ(Found.tasks, 1);
  EXPECT_EQ(Found.binding, Binding::nothing);
}

TEST(Planner, WorkersAndThreadsAreKeptBusy) {
  ChunkRequest P = cube({{100, 0, 1, true}, {100, 0, 1, true}}, 44, 1 << 30);
  P.workers = 2;
  P.threads = 3;
  ASSERT_GIVES(const ChunkPlan Found, plan(P));
  EXPECT_EQ(Found.tasks, 6);
  EXPECT_EQ(Found.binding, Binding::parallelism);
}

TEST(Planner, SaysWhatTheNextLargerChunkTakes) {
  const ChunkRequest P = cube({{1000, 0, 1, true}, {1000, 0, 1, true}, {1000, 0, 1, true}}, 44, 1'000'000'000);
  ASSERT_GIVES(const ChunkPlan Found, plan(P));
  EXPECT_LE(Found.upper.total(), P.limit_bytes);
  EXPECT_EQ(Found.binding, Binding::operators);
  ASSERT_TRUE(Found.next_larger);
  EXPECT_GT(Found.next_larger->worker_bytes, P.limit_bytes);
  EXPECT_LT(Found.next_larger->tasks, Found.tasks);
}

TEST(Planner, ResultsOnOneWorkerLeaveNoPlan) {
  ChunkRequest P = cube({{1000, 0, 1, true}, {1000, 0, 1, true}}, 44, 7'000'000);
  P.sink = Sink::gather;
  EXPECT_FALSE(plan(P));
  P.sink = Sink::store;
  EXPECT_TRUE(plan(P));
}

/// All grids, those that cannot be among them.
static void forEachGrid(const ChunkRequest &P, const std::function<void(const Grid &, std::int64_t Tasks)> &Visit) {
  Grid G(P.axes.size(), 1);
  for (;;) {
    Visit(G, *tasksOf(G));
    std::size_t I = 0;
    while (I < G.size() && ++G[I] > mostChunks(P.axes[I]))
      G[I++] = 1;
    if (I == G.size())
      return;
  }
}

TEST(Planner, TheLeastLimitSucceedsAndOneByteLessDoesNot) {
  std::mt19937_64 Random(7);
  for (int I = 0; I < 300; ++I) {
    ChunkRequest P =
        cube({{static_cast<std::int64_t>(Random() % 60 + 1), static_cast<std::int64_t>(Random() % 3), 1, true},
              {static_cast<std::int64_t>(Random() % 40 + 1), static_cast<std::int64_t>(Random() % 6),
               static_cast<std::int64_t>(Random() % 5 + 1), Random() % 2 == 0}},
             Random() % 100, 0);
    for (Axis &Each : P.axes)
      Each.halo = std::min(Each.halo, Each.extent);
    P.workers = static_cast<std::int64_t>(Random() % 4 + 1);
    P.threads = static_cast<std::int64_t>(Random() % 3 + 1);
    P.held_bytes = Random() % 1000;
    P.sink = static_cast<Sink>(Random() % 3);
    P.source = Random() % 2 ? Source::blocks : Source::storage;
    if (Random() % 2)
      P.max_tasks = static_cast<std::int64_t>(Random() % 20 + 1);
    std::uint64_t ByTrying = MostBytes;
    forEachGrid(P, [&](const Grid &G, std::int64_t Tasks) {
      if (const std::optional<WorkerParts> Worker = workerOf(P, G); Worker && Tasks <= P.max_tasks)
        ByTrying = std::min(ByTrying, Worker->total());
    });
    ASSERT_GIVES(const std::uint64_t Least, leastLimit(P));
    EXPECT_EQ(Least, ByTrying) << I;
    P.limit_bytes = Least;
    EXPECT_TRUE(plan(P)) << I;
    P.limit_bytes = Least - 1;
    EXPECT_FALSE(plan(P)) << I;
  }
}

/// By trying all.
static std::int64_t fewestByTrying(const ChunkRequest &P, std::int64_t MultipleOf = 1) {
  std::int64_t Fewest = 0;
  forEachGrid(P, [&](const Grid &G, std::int64_t Tasks) {
    if (Tasks % MultipleOf == 0 && (Fewest == 0 || Tasks < Fewest) && fits(P, G))
      Fewest = Tasks;
  });
  return Fewest;
}

TEST(Planner, TasksAreWithinFivePercentOfExhaustiveSearch) {
  std::mt19937_64 Random(2026);
  const auto Below = [&](std::int64_t Most) { return static_cast<std::int64_t>(Random() % std::uint64_t(Most)); };
  int Fitting = 0;
  for (int I = 0; I < 500; ++I) {
    std::vector<Axis> Axes;
    for (std::int64_t J = Below(3) + 1; J > 0; --J) {
      Axis A{Below(60) + 1, 0, 1, true};
      A.halo = std::min(A.extent, Below(2) ? Below(5) : 0);
      A.align = Below(4) ? 1 : Below(9) + 1;
      A.split = Below(6) > 0;
      Axes.push_back(A);
    }
    ChunkRequest P = cube(std::move(Axes), 0, 0);
    P.task = perElement(Random() % 100 + 4, Random() % 200);
    P.workers = Below(4) + 1;
    P.threads = Below(3) + 1;
    P.held_bytes = Random() % 1000;
    P.sink = static_cast<Sink>(Below(3));
    P.source = Below(2) ? Source::blocks : Source::storage;
    // Somewhere between what one element and the whole array take.
    const double Whole = static_cast<double>(P.input_bytes) * 30;
    P.limit_bytes =
        P.held_bytes + 500 + static_cast<std::uint64_t>(3 * Whole * std::pow(10, -3.0 * double(Below(1000)) / 1000));
    const std::int64_t Fewest = fewestByTrying(P);
    const std::optional<ChunkPlan> Found = plan(P);
    ASSERT_EQ(Found.has_value(), Fewest > 0) << I;
    if (!Found)
      continue;
    ++Fitting;
    EXPECT_EQ(Found->fewest_tasks, Fewest) << I;
    EXPECT_TRUE(fits(P, Found->grid)) << I;
    const std::int64_t Places = P.workers * P.threads, Full = (Fewest + Places - 1) / Places * Places;
    const std::int64_t Rounded = fewestByTrying(P, Places);
    if (Rounded == Full) {
      EXPECT_LE(double(Found->tasks), 1.05 * double(Full)) << I;
      EXPECT_EQ(Found->tasks % Places, 0) << I;
    } else if (Fewest >= Places)
      EXPECT_LE(double(Found->tasks), 1.05 * double(Full)) << I;
  }
  EXPECT_GT(Fitting, 300);
}

TEST(Planner, APetabyteIsPlannedInASecond) {
  // 2.5e14 elements of 4 bytes in about 10^7 tasks.
  ChunkRequest P = cube({{65536, 4, 1, true}, {61000, 4, 1, true}, {62537, 4, 1, true}}, 44, 1'500'000'000);
  P.source = std::nullopt;
  P.workers = 100;
  P.threads = 1;
  const std::clock_t Begin = std::clock();
  const std::optional<ChunkPlan> Found = plan(P);
  const double Took = static_cast<double>(std::clock() - Begin) / CLOCKS_PER_SEC;
  ASSERT_TRUE(Found);
  EXPECT_GT(Found->tasks, 5'000'000);
  EXPECT_LE(double(Found->tasks), 1.05 * double(Found->lower_bound));
  EXPECT_LE(Found->upper.total(), P.limit_bytes);
  EXPECT_LT(Took, 1) << "seconds";
}

TEST(Planner, MoreTasksThanCanBeFactorisedEndInAPlan) {
  // About 10^18 tasks make a full wave.
  ChunkRequest P = cube({{INT32_MAX, 0, 1, true}, {INT32_MAX, 0, 1, true}, {20, 0, 1, false}}, 12, 1'000'000'000'000);
  P.workers = P.threads = 1'000'000'000;
  const std::clock_t Begin = std::clock();
  const std::optional<ChunkPlan> Found = plan(P);
  EXPECT_LT(static_cast<double>(std::clock() - Begin) / CLOCKS_PER_SEC, 2) << "seconds";
  ASSERT_TRUE(Found);
  EXPECT_LE(Found->upper.total(), P.limit_bytes);
}
} // namespace memshape::planning
