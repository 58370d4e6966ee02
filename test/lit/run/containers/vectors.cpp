// Vectors of the shape's size.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plain case: buffers of a size made from the shape, filled with data.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
void mean(const float *in, int n, float *out) {
  std::vector<double> sums(n + 1);
  std::vector<float> copy(in, in + n);
  for (int i = 0; i < n; ++i)
    sums[i + 1] = sums[i] + copy[i];
  for (int i = 0; i < n; ++i)
    out[i] = static_cast<float>(sums[i + 1] / (i + 1));
}

TWICE(mean(data, number(1), more))
