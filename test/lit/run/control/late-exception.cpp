// An exception out of the operator.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape at which the operator throws in the middle of its work has no footprint.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100,turns=50 -- 100 50
// RUN: not %memshape predict %t --shape n=100,turns=200 2>&1 | FileCheck %s
// CHECK: throws

#include "../Inputs/twice.h"
#include <stdexcept>
#include <vector>

static void check(int n, int i) {
  if (i > n)
    throw std::invalid_argument("more steps than samples");
}

MEMSHAPE_OPERATOR
float steps(const float *in, int n, int turns) {
  std::vector<float> sums(n, in[0]);
  for (int i = 0; i < turns; ++i) {
    check(n, i);
    std::vector<float> part(i + 1, in[1]);
    sums[0] += part[i / 2];
  }
  return sums[n / 2];
}

TWICE(sink = steps(data, number(1), number(2)))
