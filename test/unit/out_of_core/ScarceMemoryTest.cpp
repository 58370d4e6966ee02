// Allocations that fail inside a store.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Job.h"
#include "TemporaryFolder.h"

#include <atomic>
#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <optional>

using namespace memshape::out_of_core;

constexpr std::uint64_t Page = 4096;

static std::atomic<long> Left = -1; ///< allocations until those that fail; negative: none does
static std::atomic<long> Fail = 0;  ///< how many do then

static void *allocate(std::size_t Bytes) {
  if (Left.load(std::memory_order_relaxed) >= 0 && Left.fetch_sub(1) <= 0) {
    if (Fail.fetch_sub(1) > 0) {
      Left = 0; // so does the next
      throw std::bad_alloc();
    }
    Left = -1;
  }
  if (void *Made = std::malloc(Bytes ? Bytes : 1))
    return Made;
  throw std::bad_alloc();
}

void *operator new(std::size_t Bytes) { return allocate(Bytes); }
void operator delete(void *At) noexcept { std::free(At); }
void operator delete(void *At, std::size_t) noexcept { std::free(At); }

namespace {

class OutOfCoreScarceMemory : public testing::TestWithParam<long> {
protected:
  /// Whether Call came to its end before the allocation number At.
  template <class Call> static bool ends(long At, Call What) {
    Fail = GetParam();
    Left = At;
    try {
      What();
    } catch (const std::bad_alloc &) {
    }
    return Left.exchange(-1) >= 0 && Fail == GetParam();
  }

  Options options() const { return {.budget_bytes = Job::Budget, .folder = Folder.Path, .threads = 2}; }

  TemporaryFolder Folder;
};

TEST_P(OutOfCoreScarceMemory, EachAllocationMayFailAndTheStoreGoesOn) {
  Store Tested(options());
  for (long At = 0, Calls = 0; Calls < 3; At += 1 + At / 12) {
    std::optional<Job> Work;
    Calls += ends(At, [&] {
      Work.emplace(Tested);
      Work->wrong(1);
    });
    for (bool IsAtEnd = false;
         !IsAtEnd;) // what a submit() before the one that failed has left, and what nobody was told
      try {
        Tested.run();
        IsAtEnd = true;
      } catch (const std::bad_alloc &) {
      }
    ASSERT_EQ(Work ? Work->Wrong.load() : 0, 0u) << At;
    ASSERT_EQ(Job(Tested).wrong(1), 0u) << At;
    ASSERT_LE(Tested.statistics().resident_bytes, Job::Budget) << At;
  }
}

TEST_P(OutOfCoreScarceMemory, HandlesAndBudgetsMayFailAndTheStoreGoesOn) {
  Store Tested(options());
  std::vector<Executor<Numbers>> All;
  for (std::uint64_t Each = 0; Each < 6; ++Each)
    All.push_back(Tested.add<Numbers>(Page, [Each] { return Numbers{std::vector(Page / 8, Each)}; }));
  for (long At = 0, Calls = 0; Calls < 3; At += 1 + At / 12) {
    Calls += ends(At, [&] {
      for (std::uint64_t Each = 0; Each < 6; ++Each) {
        auto Handle = Tested.pin(update(All[Each]));
        (*Handle).All[0] = Each;
        if (Each % 2 == 0)
          Tested.set_budget((3 + Each / 2) * Page);
        (void)Tested.forecast(3 * Page);
      }
    });
    Tested.set_budget(3 * Page);
    Tested.run();
    for (std::uint64_t Each = 0; Each < 6; ++Each)
      ASSERT_EQ((*Tested.pin(read(All[Each]))).All, std::vector(Page / 8, Each)) << At;
    ASSERT_LE(Tested.statistics().resident_bytes, 3 * Page) << At;
  }
}

TEST_P(OutOfCoreScarceMemory, AStoreThatCannotBeMadeLeavesNothing) {
  for (long At = 0, Calls = 0; Calls < 3; ++At) {
    Calls += ends(At, [&] { const Store Made(options()); });
    {
      const Store Next(options());
    }
    ASSERT_TRUE(Folder.entries().empty()) << At;
  }
}

INSTANTIATE_TEST_SUITE_P(Once, OutOfCoreScarceMemory, testing::Values(1));
INSTANTIATE_TEST_SUITE_P(FourInARow, OutOfCoreScarceMemory, testing::Values(4));

} // namespace
