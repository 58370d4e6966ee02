// std::unordered_map without data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nodes and a table that is rehashed to prime sizes by a function of the C++ library.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <unordered_map>

MEMSHAPE_OPERATOR
int index(const float *in, int n) {
  std::unordered_map<int, int> of;
  for (int i = 0; i < n; ++i)
    of[i % 37] += i;
  return static_cast<int>(of.size()) + (in[0] > 0);
}

TWICE(sink = index(data, number(1)))
