// A recursion into halves has a formula.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A side is halved while it is even and above a threshold. The bytes of all depths are a geometric sum, which is a
// polynomial in the side and in what is left of it.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=208 -- 208
// RUN: %compare %t --shape n=33 -- 33
// RUN: %python %S/../formula.py %memshape %t n 160 90 130 | FileCheck %s
// CHECK: halved(n, 24)
//

#include "../Inputs/twice.h"
#include <vector>

static float product(const float *in, long side) {
  if (side <= 24 || side % 2)
    return in[0];
  long half = side / 2;
  std::vector<float> left(half * half), right(2 * half * half);
  left[0] = in[1];
  right[0] = in[2];
  float first = product(left.data(), half);
  return first + product(right.data(), half);
}

MEMSHAPE_OPERATOR
float halves(const float *in, int n) { return product(in, n); }

TWICE(sink = halves(data, number(1)))
