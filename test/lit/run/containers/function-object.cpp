// std::function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A closure too large for the object, on the heap, called and destroyed through pointers.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <functional>
#include <vector>

MEMSHAPE_OPERATOR
double apply(const float *in, int n) {
  std::vector<double> weights(n, 0.5);
  double gain = 2, offset = 1, limit = 9;
  std::function<double(int)> step = [weights, gain, offset, limit](int i) {
    return weights[i] * gain + offset < limit ? weights[i] : limit;
  };
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += step(i) * in[i];
  return sum;
}

TWICE(sink = apply(data, number(1)))
