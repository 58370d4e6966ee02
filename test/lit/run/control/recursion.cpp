// Recursion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that calls itself stays a function; each level holds its own buffer.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=1 -- 1

#include "../Inputs/twice.h"
#include <vector>

static void sortRange(float *values, int n) {
  if (n < 2)
    return;
  int half = n / 2;
  sortRange(values, half);
  sortRange(values + half, n - half);
  std::vector<float> merged(n);
  for (int i = 0; i < n; ++i)
    merged[i] = values[i];
  for (int i = 0; i < n; ++i)
    values[i] = merged[n - 1 - i];
}

MEMSHAPE_OPERATOR
void sorted(const float *in, int n, float *out) {
  for (int i = 0; i < n; ++i)
    out[i] = in[i];
  sortRange(out, n);
}

TWICE(sorted(data, number(1), more))
