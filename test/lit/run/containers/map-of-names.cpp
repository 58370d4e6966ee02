// std::map with keys from the shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree's nodes: whether a key is new is decided by keys, not by data.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <map>

MEMSHAPE_OPERATOR
int index(const float *in, int n) {
  std::map<int, double> of;
  for (int i = 0; i < n; ++i)
    of[i % 17] += in[i];
  return static_cast<int>(of.size());
}

TWICE(sink = index(data, number(1)))
