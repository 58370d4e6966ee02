// A switch on data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each case is a way, and so is the one that allocates nothing.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 0..2800 -- 100
// RUN: %compare %t --shape n=7 --bounds 0..196 -- 7

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
float cases(const int *in, int n) {
  switch (in[0] & 3) {
  case 0:
    return std::vector<float>(n, in[1])[n / 2];
  case 1:
    return std::vector<float>(2 * n, in[1])[n / 2];
  case 2:
    return 3;
  default:
    return std::vector<float>(7 * n, in[1])[n / 2];
  }
}

TWICE(sink = cases((const int *)data, number(1)))
