//===- InThreads.h - The same work in several threads ---------------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_TEST_INTHREADS_H
#define MEMSHAPE_TEST_INTHREADS_H

#include <thread>
#include <vector>

namespace memshape::test {

/// Calls Do(0) to Do(Count - 1), each in a thread of its own, and waits for all of them.
template <class Work> void inThreads(int Count, Work Do) {
  std::vector<std::jthread> All;
  for (int I = 0; I != Count; ++I)
    All.emplace_back([=] { Do(I); });
}

} // namespace memshape::test

#endif // MEMSHAPE_TEST_INTHREADS_H
