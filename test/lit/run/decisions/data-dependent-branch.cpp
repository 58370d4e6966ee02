// An allocation that data decides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No shape tells: the answer is inexact, and the truth lies between its bounds.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 400..1600 -- 100
// RUN: %compare %t --shape n=7 --bounds 28..112 -- 7

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
float pick(const float *in, int n) {
  std::vector<float> copy(in, in + n);
  if (in[0] > 0.25f) {
    std::vector<float> more(3 * n, in[1]);
    return more[n];
  }
  return copy[0];
}

TWICE(sink = pick(data, number(1)))
