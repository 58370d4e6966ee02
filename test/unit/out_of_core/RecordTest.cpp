// What a store tells other processes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Publication.h"
#include "TemporaryFolder.h"

#include <atomic>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <thread>

using namespace memshape::out_of_core;

namespace {

constexpr std::uint64_t Page = 4096;

std::string bytesOf(const std::filesystem::path &File) {
  std::ifstream In(File, std::ios::binary);
  return {std::istreambuf_iterator<char>(In), {}};
}

RecordState parse(const std::string &Bytes, StoreRecord &Into) {
  return parse_record(Bytes.data(), Bytes.size(), Into);
}

StoreRecord wholeRecord(const std::filesystem::path &File) {
  StoreRecord Found;
  EXPECT_EQ(parse(bytesOf(File), Found), RecordState::whole);
  return Found;
}

std::string recordBytes(const StoreRecord &Of) { return {reinterpret_cast<const char *>(&Of), sizeof Of}; }

class OutOfCoreRecord : public testing::Test {
protected:
  ~OutOfCoreRecord() override { ::unsetenv("MEMSHAPE_RUNTIME_RECORD"); }

  std::filesystem::path record() const { return In.entries().at(0) / record_name; }

  /// Six blocks of a page, where three fit, each updated and then read.
  static void use(Store &Of) {
    std::vector<Executor<char[]>> Blocks;
    for (int Each = 0; Each < 6; ++Each)
      Of.submit([](std::span<char> Block) { Block[0] = 1; }, update(Blocks.emplace_back(Of.add<char[]>(Page))));
    for (const Executor<char[]> Each : Blocks)
      Of.submit([](std::span<const char>) {}, read(Each));
    Of.run();
  }

  TemporaryFolder In;
};

TEST_F(OutOfCoreRecord, HasTheFiguresOfTheStore) {
  Store Made({.budget_bytes = 3 * Page, .folder = In.Path});
  EXPECT_EQ(wholeRecord(record()).executors, 0u);
  use(Made);
  const Statistics Did = Made.statistics();
  const StoreRecord Shown = wholeRecord(record());
  EXPECT_EQ(Shown.pid, static_cast<std::uint64_t>(::getpid()));
  EXPECT_GE(Shown.updated, Shown.started);
  EXPECT_EQ(Shown.ended, 0u);
  EXPECT_EQ(Shown.budget_bytes, 3 * Page);
  EXPECT_EQ(Shown.executors, 6u);
  EXPECT_EQ(Shown.executor_bytes, 6 * Page);
  EXPECT_EQ(Shown.resident, 3u);
  EXPECT_EQ(Shown.resident_bytes, 3 * Page);
  EXPECT_EQ(Shown.peak_bytes, Did.peak_bytes);
  EXPECT_EQ(Shown.evictions, Did.evictions);
  EXPECT_EQ(Shown.reads, Did.reads);
  EXPECT_EQ(Shown.read_bytes, Did.reads * Page);
  EXPECT_EQ(Shown.writes, Did.writes);
  EXPECT_EQ(Shown.written_bytes, Did.written_bytes);
  EXPECT_EQ(Shown.uses, 12u);
  EXPECT_EQ(Shown.hits, 12 - 6 - Did.reads); // each block is made once, and not found there
}

TEST_F(OutOfCoreRecord, ABudgetThatChangesIsThere) {
  Store Made({.folder = In.Path}); // unlimited: it has no folder
  EXPECT_TRUE(In.entries().empty());
  Made.set_budget(4 * Page);
  EXPECT_EQ(wholeRecord(record()).budget_bytes, 4 * Page);
  Made.set_budget(unlimited);
  EXPECT_EQ(wholeRecord(record()).budget_bytes, unlimited);
}

TEST_F(OutOfCoreRecord, ABudgetThatBeginsToFollowTheLimitsIsThere) {
  Store Made({.folder = In.Path});
  Made.set_budget(automatic);
  EXPECT_LT(wholeRecord(record()).budget_bytes, unlimited);
}

TEST_F(OutOfCoreRecord, ObjectsThatGrowAreCounted) {
  struct Text {
    std::vector<char> All;
    std::uint64_t bytes() const { return All.size(); }
    void save(Writer &To) const { To.vector(All); }
    static Text load(Reader &From) { return {From.vector<char>()}; }
  };
  Store Made({.budget_bytes = 100, .folder = In.Path});
  const auto Grows = Made.add<Text>(10, [] { return Text{std::vector<char>(5)}; });
  Made.submit([](Text &Of) { Of.All.resize(40); }, update(Grows));
  Made.run();
  EXPECT_EQ(Made.statistics().executor_bytes, 40u);
  EXPECT_EQ(wholeRecord(record()).executor_bytes, 40u);
  EXPECT_EQ(wholeRecord(record()).resident_bytes, 40u);
}

TEST_F(OutOfCoreRecord, TheRecordOfARunKeepsTheLastFigures) {
  ::setenv("MEMSHAPE_RUNTIME_RECORD", (In.Path / "record").c_str(), 1);
  for (const std::uint64_t Budget : {3 * Page, unlimited}) {
    Store Made({.budget_bytes = Budget, .folder = In.Path / "folder"});
    use(Made);
  }
  std::vector<StoreRecord> Left;
  for (const std::filesystem::path &Each : In.entries())
    if (Each.filename().string().starts_with("store-" + std::to_string(::getpid())))
      Left.push_back(wholeRecord(Each));
  ASSERT_EQ(Left.size(), 2u);
  for (const StoreRecord &Each : Left) {
    EXPECT_EQ(Each.ended, 1u);
    EXPECT_EQ(Each.uses, 12u);
    EXPECT_EQ(Each.hits == 6, Each.budget_bytes == unlimited);
  }
}

/// A reader sees a whole record, or none: never half of one and half of another.
TEST_F(OutOfCoreRecord, WhatIsReadWhileItIsWrittenIsWholeOrDamaged) {
  const Folder Own(In.Path);
  Publication Shown;
  Shown.addTo(Own);
  std::atomic<bool> Ended = false;
  std::thread Writer([&] {
    Statistics Now;
    for (std::uint64_t Times = 1; Times <= 20000; ++Times) {
      Now.executors = Now.resident = Now.evictions = Now.reads = Now.writes = Now.uses = Now.hits = Times;
      Shown.write(Shown.record(Now, Times, false));
    }
    Ended = true;
  });
  std::uint64_t Mixed = 0, Last = 0;
  do {
    StoreRecord Seen;
    if (parse(bytesOf(Own.path() / record_name), Seen) != RecordState::whole)
      continue;
    Mixed += Seen.budget_bytes != Seen.hits || Seen.executors != Seen.hits || Seen.hits < Last;
    Last = Seen.hits;
  } while (!Ended);
  Writer.join();
  EXPECT_EQ(Mixed, 0u);
  EXPECT_EQ(wholeRecord(Own.path() / record_name).hits, 20000u);
}

TEST_F(OutOfCoreRecord, OlderFiguresDoNotReplaceNewerOnes) {
  const Folder Own(In.Path);
  Publication Shown;
  Shown.addTo(Own);
  Statistics Now;
  const StoreRecord First = Shown.record(Now, 1, false), Second = Shown.record(Now, 2, false);
  EXPECT_LT(First.updated, Second.updated);
  Shown.write(Second);
  Shown.write(First);
  EXPECT_EQ(wholeRecord(Own.path() / record_name).budget_bytes, 2u);
}

TEST_F(OutOfCoreRecord, ForeignAndDamagedBytesAreToldApart) {
  Publication Shown;
  Statistics Now;
  Now.executors = Now.uses = 5;
  const StoreRecord Whole = Shown.record(Now, Page, false);
  const std::string Bytes = recordBytes(Whole);
  StoreRecord Found;
  EXPECT_EQ(parse(Bytes, Found), RecordState::whole);
  EXPECT_EQ(parse(Bytes + "more", Found), RecordState::whole);
  EXPECT_EQ(parse("", Found), RecordState::foreign);
  EXPECT_EQ(parse("MSHPOOC", Found), RecordState::foreign);
  EXPECT_EQ(parse(std::string(sizeof Whole, 'x'), Found), RecordState::foreign);
  for (std::size_t Length = sizeof Whole.magic; Length < Bytes.size(); ++Length)
    EXPECT_EQ(parse(Bytes.substr(0, Length), Found), RecordState::damaged) << Length;
  for (std::size_t At = 0; At < Bytes.size(); ++At) {
    std::string Changed = Bytes;
    Changed[At] ^= 4;
    const RecordState Expected = At < 8    ? RecordState::foreign
                                 : At < 16 ? RecordState::other_version
                                           : RecordState::damaged;
    EXPECT_EQ(parse(Changed, Found), Expected) << At;
  }
  for (std::uint64_t StoreRecord::*Member : {&StoreRecord::resident, &StoreRecord::hits, &StoreRecord::ended}) {
    StoreRecord Wrong = Whole;
    Wrong.*Member = 6;
    Wrong.checksum = checksum_of(Wrong);
    EXPECT_EQ(parse(recordBytes(Wrong), Found), RecordState::damaged);
  }
}

} // namespace
