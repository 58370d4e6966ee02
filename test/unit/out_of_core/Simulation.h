// Caches, replayed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executors of equal size that are all made first, in the order of their
// numbers, and then read in some order. Written apart from the product, as
// plainly as can be.

#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <vector>

using AccessOrder = std::vector<std::uint32_t>;

/// All executors once, and then the accesses.
inline AccessOrder withLoading(std::uint32_t Executors, const AccessOrder &Accesses) {
  AccessOrder All(Executors);
  std::iota(All.begin(), All.end(), 0);
  All.insert(All.end(), Accesses.begin(), Accesses.end());
  return All;
}

/// Reads where at most Capacity executors are in memory, and the last of `rank` leaves first.
template <class Rank>
std::uint64_t reads(std::uint32_t Executors, const AccessOrder &Accesses, std::size_t Capacity, Rank TheRank) {
  const AccessOrder All = withLoading(Executors, Accesses);
  std::vector<std::uint32_t> Here;
  std::uint64_t Misses = 0;
  for (std::size_t At = 0; At < All.size(); ++At) {
    if (std::find(Here.begin(), Here.end(), All[At]) != Here.end())
      continue;
    ++Misses;
    if (Here.size() == Capacity)
      Here.erase(std::max_element(Here.begin(), Here.end(), [&](std::uint32_t A, std::uint32_t B) {
        return TheRank(All, At, A) < TheRank(All, At, B);
      }));
    Here.push_back(All[At]);
  }
  return Misses - Executors;
}

/// Belady's minimum (1966): the executor goes whose next use is furthest away.
inline std::uint64_t leastReads(std::uint32_t Executors, const AccessOrder &Accesses, std::size_t Capacity) {
  return reads(Executors, Accesses, Capacity, [](const AccessOrder &All, std::size_t At, std::uint32_t Which) {
    return std::find(All.begin() + std::ptrdiff_t(At), All.end(), Which) - All.begin();
  });
}

inline std::uint64_t lruReads(std::uint32_t Executors, const AccessOrder &Accesses, std::size_t Capacity) {
  return reads(Executors, Accesses, Capacity, [](const AccessOrder &All, std::size_t At, std::uint32_t Which) {
    return std::find(All.rend() - std::ptrdiff_t(At), All.rend(), Which) - All.rbegin();
  });
}

/// Batches of distinct executors.
inline AccessOrder randomBatches(std::uint32_t Executors, std::size_t Batches, std::size_t Tasks, unsigned Seed) {
  std::mt19937 Random(Seed);
  AccessOrder All(Executors), Order;
  std::iota(All.begin(), All.end(), 0);
  for (std::size_t Batch = 0; Batch < Batches; ++Batch) {
    std::shuffle(All.begin(), All.end(), Random);
    Order.insert(Order.end(), All.begin(), All.begin() + std::ptrdiff_t(Tasks));
  }
  return Order;
}

inline AccessOrder cycle(std::uint32_t Executors, std::size_t Count) {
  AccessOrder Order;
  for (std::size_t At = 0; At < Count; ++At)
    Order.push_back(static_cast<std::uint32_t>(At % Executors));
  return Order;
}
