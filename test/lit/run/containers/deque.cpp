// std::deque.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of 512 bytes behind a map of pointers.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=1000 -- 1000
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <deque>

MEMSHAPE_OPERATOR
double window(const float *in, int n) {
  std::deque<double> recent;
  double best = 0;
  for (int i = 0; i < n; ++i) {
    recent.push_back(in[i]);
    if (recent.size() > 100)
      recent.pop_front();
    best += recent.front();
  }
  return best;
}

TWICE(sink = window(data, number(1)))
