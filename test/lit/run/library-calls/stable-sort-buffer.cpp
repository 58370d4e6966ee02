// std::stable_sort.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algorithm asks for a buffer of half the range, whatever the values are.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=1000 -- 1000
// RUN: %compare %t --shape n=1 -- 1

#include "../Inputs/twice.h"
#include <algorithm>

MEMSHAPE_OPERATOR
void sorted(const float *in, int n, float *out) {
  std::copy(in, in + n, out);
  std::stable_sort(out, out + n);
}

TWICE(sorted(data, number(1), more))
