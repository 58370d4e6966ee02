// Floating-point and bool parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Settings enter sizes through arithmetic and libm.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --set sigma=1.5,scale=0.25,twice=true -- 100 1
// RUN: %compare %t --shape n=100 --set sigma=1.5,scale=0.25,twice=false -- 100 0

#include "../Inputs/twice.h"
#include <cmath>
#include <vector>

MEMSHAPE_OPERATOR
float kernel(const float *in, int n, float sigma, double scale, bool twice) {
  int radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<double> weights(2 * radius + 1);
  std::vector<float> blurred(static_cast<std::size_t>(n * scale));
  std::vector<float> again(twice ? n : 0);
  weights[0] = in[0];
  return static_cast<float>(weights[0]) + blurred[0];
}

TWICE(sink = kernel(data, number(1), 1.5f, 0.25, number(2)))
