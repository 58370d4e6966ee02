// Floating-point numbers between bounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A filter of at most 50 samples' width, which data says, and a share of all samples. What is no number becomes the least
// integer, and the vector throws.
//
// RUN: %clangxx -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 24..1604 --reached -- 100 1000
// RUN: %compare %t --shape n=100 --bounds 24..1604 -- 100 -1
// RUN: %compare %t --shape n=100 --bounds 24..1604 -- 100 0

#include "../Inputs/twice.h"
#include <algorithm>
#include <cmath>
#include <vector>

MEMSHAPE_OPERATOR
double filtered(const float *in, int n) {
  const float width = std::fmin(std::fmax(in[0], 1.0f), 50.0f);
  const int radius = int(std::ceil(3 * width));
  std::vector<float> kernel(std::size_t(2 * radius + 1));
  const float share = in[0] > 0 ? std::min(in[0], 1.0f) : 0;
  std::vector<float> part(std::size_t(share * float(n)));
  for (float &each : kernel)
    each = in[1];
  for (float &each : part)
    each = in[2];
  return kernel[radius] + (part.empty() ? 0 : part.back());
}

TWICE({
  for (int at = 0; at < 1000; ++at)
    data[at] = float(number(2));
  sink = filtered(data, int(number(1)));
})
