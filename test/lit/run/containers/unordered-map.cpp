// std::unordered_map with keys from the shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data is kept in the nodes, beside the keys; buckets are indexed by hash.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <unordered_map>

MEMSHAPE_OPERATOR
int index(const float *in, int n) {
  std::unordered_map<int, double> of;
  for (int i = 0; i < n; ++i)
    of[i] += in[i];
  return static_cast<int>(of.size());
}

TWICE(sink = index(data, number(1)))
