// Shape symbols of all widths.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Signed and unsigned, narrower and wider than int.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape a=100,b=60000,c=3,d=5 -- 100 60000 3 5
// RUN: %compare %t --shape a=1,b=200,c=70000,d=5 -- 1 200 70000 5

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
int sizes(const float *in, signed char a, unsigned short b, unsigned c, long long d) {
  std::vector<float> first(a), second(b), third(c), fourth(d);
  first[0] = in[0];
  return static_cast<int>(first[0] + second[0] + third[0] + fourth[0]);
}

TWICE(sink = sizes(data, number(1), number(2), number(3), number(4)))
