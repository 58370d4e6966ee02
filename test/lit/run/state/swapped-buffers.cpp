// Two buffers that change places.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sizes wander between two headers.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100,turns=9 -- 100 9
// RUN: %compare %t --shape n=3,turns=20 -- 3 20

#include "../Inputs/twice.h"
#include <utility>
#include <vector>

MEMSHAPE_OPERATOR
float steps(const float *in, int n, int turns) {
  std::vector<float> now(n, in[0]), next;
  for (int step = 0; step < turns; ++step) {
    next.resize(now.size() + step);
    for (std::size_t i = 0; i < now.size(); ++i)
      next[i] = 2 * now[i];
    std::swap(now, next);
  }
  return now[n / 2];
}

TWICE(sink = steps(data, number(1), number(2)))
