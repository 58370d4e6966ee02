// A pool whose buffers return when data says so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one turn allocates depends on what earlier turns gave back: the worst is neither that all do nor that none does.
// Every run is followed, so that the bounds are proven and reached.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 2044..3080 -- 100

#include "../Inputs/twice.h"
#include <vector>

static std::vector<float> take(std::vector<std::vector<float>> &pool, unsigned length) {
  if (!pool.empty() && pool.back().size() >= length) {
    std::vector<float> kept = std::move(pool.back());
    pool.pop_back();
    return kept;
  }
  return std::vector<float>(length);
}

MEMSHAPE_OPERATOR
float turns(const float *in, int n) {
  std::vector<std::vector<float>> pool;
  float sum = 0;
  for (int i = 0; i < 10; ++i) {
    std::vector<float> small = take(pool, n + i % 3), large = take(pool, 2 * n - i);
    small[0] = in[i];
    large[0] = small[i % 2];
    sum += large[i % 3];
    pool.push_back(std::move(small));
    if (in[i] < 0)
      pool.push_back(std::move(large));
  }
  return sum;
}

TWICE(sink = turns(data, number(1)))
