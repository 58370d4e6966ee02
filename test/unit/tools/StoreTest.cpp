//===- StoreTest.cpp - The store keeps what was committed ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tools/history/Store.h"
#include "tools/history/HistoryPrediction.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

using namespace memshape;

namespace {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
protected:
  void SetUp() override {
    Folder = fs::temp_directory_path() / ("memshape-store-" + std::to_string(getpid()));
    fs::create_directories(Folder);
    Path = Folder / "history.sqlite";
  }
  void TearDown() override { fs::remove_all(Folder); }

  static RunEntry run(const std::string &Operator, double A, double Peak) {
    std::string Line = "{\"schema\": \"memshape.run/1\", \"operator\": \"" + Operator +
                       "\", \"shape\": {\"a\": " + std::to_string(static_cast<long>(A)) +
                       "}, \"heap_peak_bytes\": " + std::to_string(static_cast<long>(Peak)) + "}";
    return parseRunLine(Line, 0)->front();
  }
  Result<Store> write() { return Store::open(Path, Store::Purpose::Write); }
  Result<Store> read() { return Store::open(Path, Store::Purpose::Read); }
  std::string contents() {
    std::ifstream File(Path, std::ios::binary);
    return {std::istreambuf_iterator<char>(File), {}};
  }

  fs::path Folder, Path;
};

} // namespace

TEST_F(StoreTest, GivesBackWhatWasAddedInOrder) {
  {
    Result<Store> S = write();
    ASSERT_TRUE(S) << S.failure().Message;
    ASSERT_TRUE(S->add({run("f", 1, 10), run("g", 1, 99), run("f", 2, 20)}));
  }
  Result<Store> S = read();
  ASSERT_TRUE(S) << S.failure().Message;
  Result<std::vector<RunEntry>> Runs = S->runsOf("f", 10);
  ASSERT_TRUE(Runs);
  ASSERT_EQ(Runs->size(), 2u);
  EXPECT_EQ(*(*Runs)[1].HeapPeak, 20);
  EXPECT_EQ(S->operators()->size(), 2u);
}

TEST_F(StoreTest, OfManyRunsTheNewestAndTheLargestAreRead) {
  Result<Store> S = write();
  std::vector<RunEntry> Runs{run("f", 1000, 1000000)};
  for (int I = 0; I < 100; ++I)
    Runs.push_back(run("f", I, 10.0 * I));
  ASSERT_TRUE(S->add(Runs));
  Result<std::vector<RunEntry>> Read = S->runsOf("f", 20);
  ASSERT_TRUE(Read);
  EXPECT_LE(Read->size(), 20u);
  EXPECT_EQ(*Read->front().HeapPeak, 1000000);
  EXPECT_EQ(*Read->back().HeapPeak, 990);
}

TEST_F(StoreTest, AnImportThatFailsLeavesNothingBehind) {
  Result<Store> S = write();
  ASSERT_TRUE(S->add({run("f", 1, 10)}));
  int Turn = 0;
  Result<std::uint64_t> Added = S->add([&]() -> Result<std::optional<RunEntry>> {
    if (++Turn == 3)
      return Failure{"bad line"};
    return std::optional<RunEntry>(run("f", Turn, Turn));
  });
  EXPECT_FALSE(Added);
  EXPECT_EQ(S->runsOf("f", 100)->size(), 1u);
}

TEST_F(StoreTest, WritersWaitForEachOther) {
  ASSERT_TRUE(write());
  std::vector<std::thread> Writers;
  for (int W = 0; W < 4; ++W)
    Writers.emplace_back([&, W] {
      for (int I = 0; I < 10; ++I) {
        Result<Store> S = write();
        ASSERT_TRUE(S) << S.failure().Message;
        Result<std::uint64_t> Added = S->add({run("w" + std::to_string(W), I, I)});
        ASSERT_TRUE(Added) << Added.failure().Message;
      }
    });
  for (std::thread &Writer : Writers)
    Writer.join();
  Result<Store> S = read();
  for (int W = 0; W < 4; ++W)
    EXPECT_EQ(S->runsOf("w" + std::to_string(W), 100)->size(), 10u);
}

TEST_F(StoreTest, RefusesWhatIsNoStoreAndLeavesItAsItIs) {
  std::ofstream(Path)
      << "{\"schema\": \"memshape.run/1\"}, a line that is longer than the header of a database by far, "
         "so that nobody takes the file for an empty one\n";
  std::string Before = contents();
  EXPECT_FALSE(write());
  EXPECT_FALSE(read());
  EXPECT_EQ(contents(), Before);
  EXPECT_FALSE(Store::open(Folder / "none.sqlite", Store::Purpose::Read));
  EXPECT_FALSE(fs::exists(Folder / "none.sqlite"));
  EXPECT_FALSE(Store::open(Folder, Store::Purpose::Write));
}

TEST_F(StoreTest, RefusesAStoreOfANewerMemshape) {
  {
    ASSERT_TRUE(write());
  }
  std::fstream File(Path, std::ios::binary | std::ios::in | std::ios::out);
  File.seekp(60); // user_version, big endian
  File.write("\0\0\0\x63", 4);
  File.close();
  Result<Store> S = write();
  ASSERT_FALSE(S);
  EXPECT_NE(S.failure().Message.find("newer"), std::string::npos) << S.failure().Message;
}

TEST_F(StoreTest, FindsDamageInRecordsAndLeavesThem) {
  {
    Result<Store> S = write();
    ASSERT_TRUE(S->add({run("f", 123456, 10), run("f", 2, 20)}));
  }
  std::string Bytes = contents();
  std::size_t Place = Bytes.find("123456");
  ASSERT_NE(Place, std::string::npos);
  Bytes[Place] = '9';
  std::ofstream(Path, std::ios::binary) << Bytes;
  Result<Store> S = read();
  ASSERT_TRUE(S);
  Result<std::vector<RunEntry>> Runs = S->runsOf("f", 10);
  ASSERT_FALSE(Runs);
  EXPECT_NE(Runs.failure().Message.find("damaged"), std::string::npos);
  EXPECT_EQ(contents(), Bytes);
}

TEST_F(StoreTest, FindsACutFile) {
  {
    Result<Store> S = write();
    std::vector<RunEntry> Runs;
    for (int I = 0; I < 500; ++I)
      Runs.push_back(run("f", I, I));
    ASSERT_TRUE(S->add(Runs));
  }
  fs::resize_file(Path, fs::file_size(Path) / 2);
  Result<Store> S = read();
  EXPECT_FALSE(S && S->runsOf("f", 1000) && S->forEach([](std::string_view) { return true; }));
}

TEST(HistoryPrediction, FollowsTheFootprintOfTheRecords) {
  std::vector<RunEntry> Runs;
  for (int A : {100, 200})
    Runs.push_back(
        parseRunLine(
            R"({"schema": "memshape.run/1", "operator": "op", "footprint": {"formula": "28*a"}, "shape": {"a": )" +
                std::to_string(A) + R"(}, "heap_peak_bytes": )" + std::to_string(28 * A) +
                R"(, "rss_peak_bytes": 90000000})",
            0)
            ->front());
  Situation At;
  At.Shape["a"] = 800;
  HistoryPrediction P = predictFromHistory(Prior::generic(), Runs, At, 0.99);
  ASSERT_TRUE(P.Heap && P.Resident);
  EXPECT_NEAR(P.Heap->Expected.Location, 22400, 0.5);
  EXPECT_GE(P.Heap->Upper, 22400);
  EXPECT_NEAR(P.Resident->Expected.Location, 90e6, 2e6);
  EXPECT_GE(P.Resident->Upper, 90e6);
}
