// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "libmemshape/processes/Workers.h"

#include <algorithm>
#include <atomic>
#include <gtest/gtest.h>
#include <numeric>

using namespace memshape;

TEST(Workers, doEachPieceOnceWhateverTheirNumber) {
  std::vector<std::size_t> Order(100);
  std::iota(Order.rbegin(), Order.rend(), 0);
  for (const std::size_t AtOnce : {0, 1, 3, 200}) {
    std::vector<int> Done(Order.size());
    std::atomic<std::size_t> Now{0}, Most{0};
    forEachAtOnce(Order, AtOnce, [&](std::size_t I) {
      const std::size_t Running = ++Now;
      for (std::size_t Seen = Most; Seen < Running && !Most.compare_exchange_weak(Seen, Running);) {
      }
      ++Done[I];
      --Now;
    });
    EXPECT_EQ(std::count(Done.begin(), Done.end(), 1), 100) << AtOnce;
    EXPECT_LE(Most, std::max<std::size_t>(1, AtOnce));
  }
}

TEST(Workers, beginInTheOrderThatIsGiven) {
  const std::vector<std::size_t> Order = {4, 0, 3, 1, 2};
  std::vector<std::size_t> Seen;
  forEachAtOnce(Order, 1, [&](std::size_t I) { Seen.push_back(I); });
  EXPECT_EQ(Seen, Order);
  forEachAtOnce({}, 4, [&](std::size_t) { FAIL(); });
}

TEST(Workers, areAtLeastOneAndNotTooMany) {
  EXPECT_GE(availableWorkers(), 1u);
  EXPECT_LE(availableWorkers(), 8u);
}

TEST(Workers, passOnWhatOneThrows) {
  const std::vector<std::size_t> Order = {0, 1, 2, 3};
  for (const std::size_t AtOnce : {1, 4})
    EXPECT_THROW(forEachAtOnce(Order, AtOnce, [](std::size_t) { throw std::bad_alloc(); }), std::bad_alloc) << AtOnce;
}
