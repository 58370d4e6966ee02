// Threads and futures of the C++ library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <future>
#include <thread>
#include <vector>

// std::thread. Between one thread after the other and all at their peaks, with what the C library requests for each that
// finds no stack of an ended one.
// HELD spread n=1000,threads=3 --bounds 8064..25680
// HELD spread n=10,threads=9 --bounds 192..5760
// HELD spread n=1000,threads=0 --bounds 8040..8552
// HELD spread n=1000,threads=1 --bounds 8048..8560
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

TWICE_OF(spread, spread(data, number(1), number(2), more))

// std::async. The shared state is freed by whoever lets go of it last; results are there when they are asked for.
// HELD spread_in_futures n=1000,threads=3 --bounds 8272..26064
// HELD spread_in_futures n=1000,threads=1 --bounds 8144..8672
MEMSHAPE_OPERATOR
void spread_in_futures(const float *in, int n, int threads, float *out) {
  std::vector<std::future<float>> results;
  for (int t = 0; t < threads; ++t)
    results.push_back(std::async(std::launch::async, [=] {
      std::vector<double> copy(in, in + n);
      return static_cast<float>(copy[n / 2]) + t;
    }));
  for (int t = 0; t < threads; ++t)
    out[t] = results[t].get();
}

TWICE_OF(spread_in_futures, spread_in_futures(data, number(1), number(2), more))

TWICE_EACH
