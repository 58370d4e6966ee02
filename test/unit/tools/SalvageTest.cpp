// What a damaged store still holds is given back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StoreFolder.h"
#include "libmemshape/history/Store.h"

#include <fstream>
#include <random>
#include <set>

using namespace memshape;

namespace {

namespace fs = std::filesystem;

class SalvageTest : public test::StoreFolder {
protected:
  /// Of two operators in turn; every seventh is longer than a page.
  std::string line(int N) const {
    std::string Text = R"({"schema": "memshape.run/1", "operator": ")" + std::string(N % 2 ? "odd" : "even") +
                       R"(", "shape": {"n": )" + std::to_string(N) + R"(}, "heap_peak_bytes": )" +
                       std::to_string(8 * N);
    if (Long && N % 7 == 3)
      Text += R"(, "note": ")" + std::string(9000, static_cast<char>('a' + N % 26)) + '"';
    return Text + "}";
  }
  std::string made(int Count) {
    Result<Store> S = Store::open(Path, Store::Purpose::Write);
    std::vector<RunEntry> Runs;
    for (int N = 0; N < Count; ++N)
      Runs.push_back(parseRunLine(line(N), 0)->front());
    EXPECT_TRUE(S && S->add(Runs));
    S = Result<Store>(Failure{""});
    return contents();
  }
  void write(const std::string &Bytes) { std::ofstream(Path, std::ios::binary) << Bytes; }

  /// The documents that come out, by number; each has to be one that went in, once, and in order.
  std::vector<int> whole(std::string *Why = nullptr) {
    std::vector<int> Found;
    int Next = 0;
    Result<std::uint64_t> Done = Store::forEachWhole(Path, [&](std::string_view Document) {
      while (Next < Most && line(Next) != Document)
        ++Next;
      EXPECT_LT(Next, Most) << "not a record, or twice: " << Document.substr(0, 100);
      Found.push_back(Next++);
      return true;
    });
    if (Why)
      *Why = Done ? "" : Done.failure().Message;
    return Found;
  }

  static constexpr int Most = 600;
  bool Long = true;
};

} // namespace

TEST_F(SalvageTest, AWholeStoreGivesAll) {
  made(Most);
  std::string Why;
  EXPECT_EQ(whole(&Why).size(), std::size_t(Most));
  EXPECT_EQ(Why, "");
}

TEST_F(SalvageTest, OfACutStoreEachRecordIsGivenThatIsThere) {
  Long = false;
  std::string Bytes = made(Most);
  std::size_t Before = 0;
  for (std::size_t Cut = 0; Cut < Bytes.size(); Cut += 1511) {
    write(Bytes.substr(0, Cut));
    // Behind its document a record says in up to 8 bytes which function it is of.
    std::size_t Least = 0, There = 0;
    for (int N = 0; N < Most; ++N) {
      std::size_t End = Bytes.find(line(N)) + line(N).size();
      Least += End + 8 <= Cut;
      There += End <= Cut;
    }
    std::string Why;
    std::vector<int> Found = whole(&Why);
    EXPECT_LE(Found.size(), There) << "cut at " << Cut;
    EXPECT_GE(Found.size(), Least) << "cut at " << Cut;
    EXPECT_NE(Why, "") << "cut at " << Cut;
    EXPECT_GE(Found.size(), Before);
    Before = Found.size();
  }
  EXPECT_GT(Before, std::size_t(Most / 2));
}

TEST_F(SalvageTest, LongRecordsAreWholeOrNotGiven) {
  std::string Bytes = made(Most);
  for (std::size_t Cut = 0; Cut < Bytes.size(); Cut += 40009) {
    write(Bytes.substr(0, Cut));
    whole();
  }
  write(Bytes.substr(0, Bytes.size() - 4096));
  std::string Why;
  EXPECT_GT(whole(&Why).size(), std::size_t(Most - 20));
  EXPECT_NE(Why.find("damaged"), std::string::npos) << Why;
}

TEST_F(SalvageTest, APageThatIsLostTakesOnlyItsOwnRecordsWithIt) {
  Long = false;
  std::string Bytes = made(Most);
  const std::size_t Page = 4096;
  for (std::size_t Lost = 0; Lost < Bytes.size() / Page; ++Lost) {
    std::string Broken = Bytes;
    for (std::size_t I = 0; I < Page; ++I)
      Broken[Lost * Page + I] = static_cast<char>(0xa5);
    write(Broken);
    std::size_t There = 0;
    for (int N = 0; N < Most; ++N)
      There += Broken.find(line(N)) != std::string::npos;
    EXPECT_EQ(whole().size(), There) << "page " << Lost + 1;
  }
}

TEST_F(SalvageTest, WhateverTheDamageOnlyRecordsThatWentInComeOut) {
  std::string Bytes = made(Most);
  std::set<std::string, std::less<>> In;
  for (int N = 0; N < Most; ++N)
    In.insert(line(N));
  std::mt19937 Random(5);
  for (int Turn = 0; Turn < 60; ++Turn) {
    std::string Broken = Bytes;
    for (int I = 0; I < 400; ++I)
      Broken[Random() % Broken.size()] = static_cast<char>(Random());
    write(Broken);
    std::set<std::string, std::less<>> Left = In; // damaged numbers put records in another order
    Result<std::uint64_t> Done = Store::forEachWhole(Path, [&](std::string_view Document) {
      auto Place = Left.find(Document);
      EXPECT_NE(Place, Left.end()) << "not a record, or twice: " << Document.substr(0, 100);
      if (Place != Left.end())
        Left.erase(Place);
      return true;
    });
    EXPECT_FALSE(Done);
  }
}

TEST_F(SalvageTest, WhatWasCommittedToTheLogIsGivenToo) {
  Long = false;
  made(Most / 2);
  Result<Store> S = Store::open(Path, Store::Purpose::Write);
  std::vector<RunEntry> Runs;
  for (int N = Most / 2; N < Most; ++N)
    Runs.push_back(parseRunLine(line(N), 0)->front());
  ASSERT_TRUE(S && S->add(Runs));
  // As a machine leaves it that stopped: the store is still open.
  fs::path Other = Folder / "other.sqlite";
  fs::copy_file(Path, Other);
  fs::copy_file(Path.string() + "-wal", Other.string() + "-wal");
  std::fstream(Other, std::ios::binary | std::ios::in | std::ios::out).write("no database", 11);
  Path = Other;
  std::string Why;
  EXPECT_EQ(whole(&Why).size(), std::size_t(Most)) << Why;
}

TEST_F(SalvageTest, WhatIsNoStoreGivesNothing) {
  write(std::string(100000, 'x'));
  std::string Why;
  EXPECT_TRUE(whole(&Why).empty());
  EXPECT_NE(Why.find("no store"), std::string::npos) << Why;
  write("");
  EXPECT_TRUE(whole(&Why).empty());
  EXPECT_NE(Why, "");
}
