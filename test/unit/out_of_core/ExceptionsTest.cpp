// What the program's own functions throw.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Stores.h"
#include "TemporaryFolder.h"

#include <atomic>
#include <new>

using namespace memshape::out_of_core;

namespace {

constexpr std::uint64_t Page = 4096, Executors = 8;

enum class Where { Nowhere, Make, BeginOfSave, EndOfSave, BeginOfLoad, EndOfLoad, Bytes, Task };
enum class What { Exception, NoMemory, Number };

struct Throws {
  std::atomic<Where> Now = Where::Nowhere;
  What Of = What::Exception;
  std::atomic<int> After = 0; ///< so many times it does not

  void at(Where Place) {
    if (Place != Now || After-- > 0)
      return;
    Now = Where::Nowhere;
    if (Of == What::Exception)
      throw std::domain_error("on purpose");
    if (Of == What::NoMemory)
      throw std::bad_alloc();
    throw 17;
  }
} Program;

struct Throwing {
  std::vector<std::uint64_t> All;

  std::uint64_t bytes() const {
    Program.at(Where::Bytes);
    return All.size() * sizeof(std::uint64_t);
  }
  void save(Writer &To) const {
    Program.at(Where::BeginOfSave);
    To.vector(All);
    Program.at(Where::EndOfSave);
  }
  static Throwing load(Reader &From) {
    Program.at(Where::BeginOfLoad);
    Throwing Made{From.vector<std::uint64_t>()};
    Program.at(Where::EndOfLoad);
    return Made;
  }
};

class OutOfCoreExceptions : public testing::TestWithParam<What> {
protected:
  OutOfCoreExceptions() {
    Program.Of = GetParam();
    Program.Now = Where::Nowhere;
    for (std::uint64_t Each = 0; Each < Executors; ++Each)
      All.push_back(Tested.add<Throwing>(Page, [Each] {
        Program.at(Where::Make);
        return Throwing{std::vector(Page / 8, Each)};
      }));
  }

  template <class Call> static bool throws(Call Of) {
    try {
      Of();
      return false;
    } catch (const std::domain_error &) {
      EXPECT_EQ(GetParam(), What::Exception);
    } catch (const std::bad_alloc &) {
      EXPECT_EQ(GetParam(), What::NoMemory);
    } catch (int Number) {
      EXPECT_EQ(Number, 17);
      EXPECT_EQ(GetParam(), What::Number);
    }
    return true;
  }

  /// Tasks on all executors, twice.
  void runs() {
    for (std::uint64_t Each = 0; Each < 2 * Executors; ++Each)
      Tested.submit(
          [this, Each](Throwing &Of) {
            Wrong += Of.All != std::vector(Page / 8, Each % Executors);
            Program.at(Where::Task);
          },
          update(All[Each % Executors]));
    Tested.run();
  }

  void isWell() {
    Program.Now = Where::Nowhere;
    EXPECT_FALSE(throws([&] { runs(); }));
    EXPECT_EQ(Wrong, 0);
    EXPECT_LE(Tested.statistics().resident_bytes, 3 * Page);
    EXPECT_LE(Tested.statistics().peak_bytes, 3 * Page);
    EXPECT_LE(files(), All.size() + 1); // what was not written whole is gone; one is the store's record
  }

  std::size_t files() const {
    const std::filesystem::directory_iterator Found(Folder.entries().at(0));
    return std::size_t(std::distance(begin(Found), end(Found)));
  }

  TemporaryFolder Folder;
  Store Tested{Options{.budget_bytes = 3 * Page, .folder = Folder.Path, .threads = 2}};
  std::vector<Executor<Throwing>> All;
  std::atomic<int> Wrong = 0;
};

TEST_P(OutOfCoreExceptions, WhatTheProgramThrowsComesOutOfRunAndTheStoreGoesOn) {
  for (const Where Place : {Where::Make, Where::BeginOfSave, Where::EndOfSave, Where::BeginOfLoad, Where::EndOfLoad,
                            Where::Bytes, Where::Task})
    for (const int After : {0, 1, 5}) {
      if (Place == Where::Make) // each executor is made once
        All.push_back(Tested.add<Throwing>(Page, [] {
          Program.at(Where::Make);
          return Throwing{std::vector(Page / 8, std::uint64_t(0))};
        }));
      Program.After = Place == Where::Make ? 0 : After;
      Program.Now = Place;
      EXPECT_TRUE(throws([&] {
        Tested.submit([](Throwing &) {}, update(All.back()));
        runs();
      })) << int(Place)
          << " " << After;
      isWell();
    }
}

TEST_P(OutOfCoreExceptions, AHandleThrowsWhatItsExecutorThrows) {
  isWell();
  const auto Use = [&](std::uint64_t Each) { EXPECT_EQ((*Tested.pin(read(All[Each]))).All.front(), Each); };
  for (const Where Place : {Where::BeginOfLoad, Where::EndOfLoad, Where::BeginOfSave, Where::EndOfSave, Where::Bytes}) {
    isWell(); // 5, 6 and 7 are in memory, and dirty
    Program.After = 0;
    Program.Now = Place;
    EXPECT_TRUE(throws([&] { Use(0); })) << int(Place);
    Use(0);
  }
  isWell();
}

TEST_P(OutOfCoreExceptions, WhatIsThrownWhenAHandleGoesComesOutOfTheNextRun) {
  isWell();
  {
    auto Handle = Tested.pin(update(All[3]));
    (*Handle).All.back() = 3;
    Program.After = 0;
    Program.Now = Where::Bytes;
  }
  EXPECT_TRUE(throws([&] { Tested.run(); }));
  isWell();
}

TEST_P(OutOfCoreExceptions, ASmallerBudgetThrowsWhatSaveThrows) {
  isWell();
  Program.After = 0;
  Program.Now = Where::EndOfSave;
  EXPECT_TRUE(throws([&] { Tested.set_budget(Page); }));
  Tested.set_budget(Page);
  EXPECT_EQ(Tested.statistics().resident_bytes, Page);
  isWell();
}

INSTANTIATE_TEST_SUITE_P(Exception, OutOfCoreExceptions, testing::Values(What::Exception));
INSTANTIATE_TEST_SUITE_P(NoMemory, OutOfCoreExceptions, testing::Values(What::NoMemory));
INSTANTIATE_TEST_SUITE_P(Number, OutOfCoreExceptions, testing::Values(What::Number));

struct Greedy {
  std::uint64_t bytes() const { return Page; }
  void save(Writer &To) const { To.value('g'); }
  static Greedy load(Reader &From) {
    for (int Each = 0; Each < 2; ++Each)
      (void)From.value<char>();
    return {};
  }
};

TEST(OutOfCoreObjects, MoreThanWasSavedCannotBeLoaded) {
  const TemporaryFolder In;
  Store Tested({.budget_bytes = Page, .folder = In.Path});
  const auto One = Tested.add<Greedy>(Page, [] { return Greedy(); });
  (void)Tested.pin(read(One));
  (void)Tested.pin(read(Tested.add<char[]>(1)));
  EXPECT_EQ(refusal([&] { (void)Tested.pin(read(One)); }), ErrorCode::usage);
}

} // namespace
