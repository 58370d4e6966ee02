// The store keeps what was committed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/history/Store.h"
#include "Gives.h"
#include "StoreFolder.h"
#include "libmemshape/history/HistoryPrediction.h"
#include "libmemshape/history/StorePool.h"

#include <algorithm>
#include <fstream>
#include <sqlite3.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <zlib.h>

using namespace memshape;

namespace {

namespace fs = std::filesystem;

class StoreTest : public test::StoreFolder {
protected:
  static RunEntry run(const std::string &Operator, double A, double Peak) {
    std::string Line = "{\"schema\": \"memshape.run/1\", \"operator\": \"" + Operator +
                       "\", \"shape\": {\"a\": " + std::to_string(static_cast<long>(A)) +
                       "}, \"heap_peak_bytes\": " + std::to_string(static_cast<long>(Peak)) + "}";
    return parseRunLine(Line, 0)->front();
  }
  static RunEntry withSetting(const std::string &Operator, int N, const std::string &Setting) {
    return parseRunLine(R"({"schema": "memshape.run/1", "operator": ")" + Operator + R"(", "shape": {"n": )" +
                            std::to_string(N) + R"(}, "settings": {"s": )" + Setting + R"(}, "heap_peak_bytes": 80})",
                        0)
        ->front();
  }
  /// What another program does to the file.
  void execute(const std::string &Statements) const {
    sqlite3 *Database = nullptr;
    ASSERT_EQ(sqlite3_open(Path.c_str(), &Database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(Database, Statements.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
        << sqlite3_errmsg(Database);
    sqlite3_close(Database);
  }
  Result<Store> write() { return Store::open(Path, Store::Purpose::Write); }
  Result<Store> read() { return Store::open(Path, Store::Purpose::Read); }
};

} // namespace

TEST_F(StoreTest, GivesBackWhatWasAddedInOrder) {
  {
    ASSERT_GIVES(Store S, write());
    ASSERT_TRUE(S.add({run("f", 1, 10), run("g", 1, 99), run("f", 2, 20)}));
  }
  ASSERT_GIVES(Store S, read());
  ASSERT_GIVES(std::vector<RunEntry> Runs, S.runsOf("f", 10));
  ASSERT_EQ(Runs.size(), 2u);
  EXPECT_EQ(Runs[1].HeapPeak, 20);
  EXPECT_EQ(S.operators()->size(), 2u);
}

TEST_F(StoreTest, OfManyRunsTheNewestAndTheLargestAreRead) {
  Result<Store> S = write();
  std::vector<RunEntry> Runs{run("f", 1000, 1000000)};
  for (int I = 0; I < 100; ++I)
    Runs.push_back(run("f", I, 10.0 * I));
  ASSERT_TRUE(S->add(Runs));
  ASSERT_GIVES(std::vector<RunEntry> Read, S->runsOf("f", 20));
  EXPECT_LE(Read.size(), 20u);
  EXPECT_EQ(*Read.front().HeapPeak, 1000000);
  EXPECT_EQ(*Read.back().HeapPeak, 990);
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
        ASSERT_GIVES(Store S, write());
        ASSERT_GIVES(std::uint64_t Added, S.add({run("w" + std::to_string(W), I, I)}));
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

TEST_F(StoreTest, IsForItsUserAlone) {
  Path = Folder / "data" / "memshape" / "history.sqlite";
  ASSERT_TRUE(write());
  EXPECT_EQ(fs::status(Path).permissions(), fs::perms(0600));
  EXPECT_EQ(fs::status(Path.parent_path()).permissions(), fs::perms(0700));
}

TEST_F(StoreTest, IsARegularFile) {
  ASSERT_EQ(::mkfifo(Path.c_str(), 0600), 0);
  EXPECT_NE(read().failure().Message.find("no regular file"), std::string::npos);
  EXPECT_NE(write().failure().Message.find("no regular file"), std::string::npos);
}

TEST_F(StoreTest, WhoMayOnlyReadItReadsIt) {
  {
    Result<Store> S = write();
    ASSERT_TRUE(S->add({run("f", 1, 10)}));
  }
  ASSERT_EQ(::chmod(Path.c_str(), 0444), 0);
  ASSERT_EQ(::chmod(Folder.c_str(), 0555), 0);
  const bool Privileged = ::geteuid() == 0 && ::seteuid(65534) == 0; // the superuser may write anywhere
  const bool MayRead = ::access(Folder.c_str(), R_OK | X_OK) == 0;
  std::size_t Found = 0;
  if (Result<Store> S = read())
    if (const auto Runs = S->runsOf("f", 10))
      Found = Runs->size();
  if (Privileged)
    ASSERT_EQ(::seteuid(0), 0);
  ::chmod(Folder.c_str(), 0755);
  EXPECT_EQ(Found, 1u) << MayRead;
}

TEST_F(StoreTest, WhoseTablesAreNotThoseOfItsVersionIsDamaged) {
  ASSERT_TRUE(write());
  for (const char *Wrong : {"0", "-1", "1", "2"}) {
    execute(std::string("PRAGMA user_version=") + Wrong);
    Result<Store> S = write();
    ASSERT_FALSE(S);
    EXPECT_EQ(S.failure().Code, FailureCode::DamagedStore) << Wrong;
    EXPECT_EQ(S.failure().Message.find("already exists"), std::string::npos) << S.failure().Message;
  }
}

TEST_F(StoreTest, HasNoViewsAndNoTriggers) {
  ASSERT_TRUE(write());
  for (const char *Made :
       {"CREATE VIEW endless AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x+1 FROM r) SELECT x FROM r",
        "DROP VIEW endless; CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END"}) {
    execute(Made);
    EXPECT_EQ(read().failure().Code, FailureCode::NotAStore) << Made;
    EXPECT_EQ(write().failure().Code, FailureCode::NotAStore) << Made;
  }
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
  ASSERT_GIVES(Store S, read());
  Result<std::vector<RunEntry>> Runs = S.runsOf("f", 10);
  ASSERT_FALSE(Runs);
  EXPECT_NE(Runs.failure().Message.find("damaged"), std::string::npos);
  std::vector<std::string> Left;
  Result<std::uint64_t> Passed = S.forEach([&](std::string_view Document) {
    Left.emplace_back(Document);
    return true;
  });
  ASSERT_FALSE(Passed);
  EXPECT_EQ(Passed.failure().Code, FailureCode::DamagedStore);
  ASSERT_EQ(Left.size(), 1U);
  EXPECT_EQ(Left[0].find("123456"), std::string::npos);
  EXPECT_EQ(contents(), Bytes);
}

TEST_F(StoreTest, TellsFunctionsOfOneNameApart) {
  ASSERT_GIVES(Store S, write());
  std::vector<RunEntry> Runs;
  for (int I = 0; I < 300; ++I)
    Runs.push_back(withSetting("f", I, I % 100 == 0 ? "1" : "2"));
  ASSERT_TRUE(S.add(Runs));
  Result<std::vector<RunEntry>> Rare = S.runsOf("f", 20, &Runs[0]), All = S.runsOf("f", 20);
  ASSERT_TRUE(Rare && All);
  EXPECT_EQ(Rare->size(), 3u) << "the many runs of the other function do not hide them";
  EXPECT_LE(All->size(), 20u);
  EXPECT_EQ(std::count_if(All->begin(), All->end(), [&](const RunEntry &R) { return areAlike(R, Runs[0]); }), 3);
  ASSERT_GIVES(std::vector<RunEntry> Functions, S.functionsOf("f"));
  ASSERT_EQ(Functions.size(), 2u);
  EXPECT_EQ(Functions.front().Settings.at("s"), "2.0");
  EXPECT_TRUE(S.functionsOf("g")->empty());
}

TEST_F(StoreTest, ReadsAndRenewsAStoreOfAnOlderMemshape) {
  std::string Text =
      "CREATE TABLE operators(id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);"
      "CREATE TABLE runs(id INTEGER PRIMARY KEY, operator INTEGER NOT NULL REFERENCES operators(id), peak REAL NOT "
      "NULL,"
      "                  checksum INTEGER NOT NULL, document TEXT NOT NULL);"
      "CREATE INDEX runs_by_operator ON runs(operator, id); CREATE INDEX runs_by_peak ON runs(operator, peak);"
      "PRAGMA application_id=1836279920; PRAGMA user_version=2; INSERT INTO operators VALUES(1,'f');";
  for (int I = 1; I <= 3; ++I) {
    std::string Document = withSetting("f", I, I == 1 ? "1" : "2").Document, Whole = "f" + Document;
    Text += "INSERT INTO runs(operator,peak,checksum,document) VALUES(1,80," +
            std::to_string(crc32(0, reinterpret_cast<const Bytef *>(Whole.data()), static_cast<uInt>(Whole.size()))) +
            ",'" + Document + "');";
  }
  execute(Text);
  RunEntry Like = withSetting("f", 9, "2");
  {
    ASSERT_GIVES(Store S, read());
    EXPECT_EQ(S.runsOf("f", 10)->size(), 3u);
    EXPECT_EQ(S.runsOf("f", 10, &Like)->size(), 2u);
    EXPECT_EQ(S.functionsOf("f")->size(), 2u);
  }
  {
    ASSERT_GIVES(Store S, write());
    ASSERT_TRUE(S.add({withSetting("f", 4, "2")}));
  }
  ASSERT_GIVES(Store S, read());
  EXPECT_EQ(S.runsOf("f", 10)->size(), 4u);
  EXPECT_EQ(S.runsOf("f", 10, &Like)->size(), 3u);
  EXPECT_EQ(S.functionsOf("f")->size(), 2u);
}

TEST_F(StoreTest, OtherOperatorsOfAStoreSayHowFarABoundHasToLie) {
  ASSERT_GIVES(Store S, write());
  // On this machine every process brings 40 MB that no feature tells.
  std::vector<RunEntry> Runs;
  for (int O = 0; O < 12; ++O)
    for (int I = 1; I <= 6; ++I)
      Runs.push_back(parseRunLine(R"({"schema": "memshape.run/1", "operator": "o)" + std::to_string(O) +
                                      R"(", "shape": {"n": 1}, "held_bytes": 1000000, "heap_peak_bytes": )" +
                                      std::to_string(1000000 * I) + R"(, "rss_peak_bytes": )" +
                                      std::to_string(45000000 + 1000000 * I) + "}",
                                  0)
                         ->front());
  ASSERT_TRUE(S.add(Runs));
  Situation At;
  At.Heap = At.Total = 5e6;
  At.Held = 1e6;
  const Prior &Alone = Prior::generic();
  ASSERT_GIVES(Prior Family, withOtherOperators(Alone, S, "new", At));
  double Before = OperatorModel(Alone, Target::Resident, At).forecast(At, 0.99).Upper,
         After = OperatorModel(Family, Target::Resident, At).forecast(At, 0.99).Upper;
  EXPECT_LT(Before, 50e6);
  EXPECT_GT(After, 50e6);
  At.Held = Unknown;
  EXPECT_EQ(withOtherOperators(Alone, S, "new", At)->text(), Alone.text()) << "of those less is known";
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
