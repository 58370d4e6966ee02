// A recursive function that returns data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing needs the result to allocate, yet it may be taken for a value that matters.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <vector>

static float halve(const float *in, int n) {
  if (n < 2)
    return in[0];
  std::vector<float> copy(in, in + n);
  return halve(copy.data(), n / 2) + halve(copy.data() + n / 2, n - n / 2);
}

MEMSHAPE_OPERATOR
float tree(const float *in, int n) { return halve(in, n); }

TWICE(sink = tree(data, number(1)))
