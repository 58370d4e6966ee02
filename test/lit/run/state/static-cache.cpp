// A table made at the first call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A static local variable: its bytes are those of the first call alone.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=10 --one-time -- 10
// RUN: %compare %t --shape n=5000 --one-time -- 5000

#include "../Inputs/twice.h"
#include <vector>

static const std::vector<double> &table() {
  static const std::vector<double> values(1000, 1.5);
  return values;
}

MEMSHAPE_OPERATOR
double look(const float *in, int n) {
  std::vector<double> copy(n);
  copy[0] = in[0];
  return table()[n % 1000] + copy[0];
}

TWICE(sink = look(data, number(1)))
