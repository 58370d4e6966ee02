// push_back without reserve.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capacity doubles; old and new block live side by side while elements move.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=1000 -- 1000
// RUN: %compare %t --shape n=1 -- 1
// RUN: %compare %t --shape n=1024 -- 1024

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
double collect(const float *in, int n) {
  std::vector<float> taken;
  for (int i = 0; i < n; ++i)
    taken.push_back(in[i]);
  return taken[n / 2];
}

TWICE(sink = collect(data, number(1)))
