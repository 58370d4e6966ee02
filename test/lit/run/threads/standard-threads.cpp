// std::thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between one thread after the other and all at their peaks. A thread that is joined before the next one starts is
// exact.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=1000,threads=3 --bounds 8064..24144 -- 1000 3
// RUN: %compare %t --shape n=10,threads=9 --bounds 192..2672 -- 10 9
// RUN: %compare %t --shape n=1000,threads=0 -- 1000 0
// RUN: %compare %t --shape n=1000,threads=1 -- 1000 1

#include "../Inputs/twice.h"
#include <thread>
#include <vector>

MEMSHAPE_OPERATOR
void spread(const float *in, int n, int threads, float *out) {
  auto work = [=](int t) {
    std::vector<double> copy(in, in + n);
    out[t] = static_cast<float>(copy[n / 2]) + t;
  };
  std::vector<std::thread> started;
  started.reserve(threads);
  for (int t = 0; t < threads; ++t)
    started.emplace_back(work, t);
  for (std::thread &thread : started)
    thread.join();
  for (int t = 0; t < 2; ++t)
    std::thread(work, t).join();
}

TWICE(spread(data, number(1), number(2), more))
