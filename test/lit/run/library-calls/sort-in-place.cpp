// std::sort.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Comparisons of data move data; they allocate nothing.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <algorithm>
#include <vector>

MEMSHAPE_OPERATOR
float median(const float *in, int n) {
  std::vector<float> copy(in, in + n);
  std::sort(copy.begin(), copy.end());
  return copy[n / 2];
}

TWICE(sink = median(data, number(1)))
