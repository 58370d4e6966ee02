// std::list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Linked nodes, hooked in by a function of the C++ library and freed by following their links.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <list>

MEMSHAPE_OPERATOR
double sum(const float *in, int n) {
  std::list<double> parts;
  for (int i = 0; i < n; ++i)
    parts.push_back(in[i]);
  double total = 0;
  for (double part : parts)
    total += part;
  return total;
}

TWICE(sink = sum(data, number(1)))
