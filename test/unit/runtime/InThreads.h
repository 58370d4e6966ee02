// The same work in several threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

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
