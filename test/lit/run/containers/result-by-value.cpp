// A result returned in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the result holds is still live at return.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
std::vector<float> doubled(const float *in, int n) {
  std::vector<float> result(n), scratch(n);
  for (int i = 0; i < n; ++i)
    result[i] = scratch[i] + 2 * in[i];
  return result;
}

TWICE(doubled(data, number(1)))
