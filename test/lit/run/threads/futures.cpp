// std::async.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shared state is freed by whoever lets go of it last; results are there when they are asked for.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=1000,threads=3 --bounds 8272..24528 -- 1000 3
// RUN: %compare %t --shape n=1000,threads=1 --bounds 8144..8160 -- 1000 1

#include "../Inputs/twice.h"
#include <future>
#include <vector>

MEMSHAPE_OPERATOR
void spread(const float *in, int n, int threads, float *out) {
  std::vector<std::future<float>> results;
  for (int t = 0; t < threads; ++t)
    results.push_back(std::async(std::launch::async, [=] {
      std::vector<double> copy(in, in + n);
      return static_cast<float>(copy[n / 2]) + t;
    }));
  for (int t = 0; t < threads; ++t)
    out[t] = results[t].get();
}

TWICE(spread(data, number(1), number(2), more))
