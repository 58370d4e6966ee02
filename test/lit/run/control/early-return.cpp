// Early returns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape decides how far the operator gets.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=2 -- 2
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=2000 -- 2000

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
int smooth(const float *in, int n, float *out) {
  if (n < 4)
    return 1;
  std::vector<float> copy(in, in + n);
  if (n > 1000)
    return 2;
  std::vector<float> kernel(2 * n);
  out[0] = copy[0] + kernel[0];
  return 0;
}

TWICE(sink = smooth(data, number(1), more))
