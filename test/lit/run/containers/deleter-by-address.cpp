// free, called through its address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The optimiser makes the call direct; without it the slicer has to.
//
// RUN: %held -std=c++20
// HELD -O2 n=100
// HELD -O0 n=100

#include "../Inputs/twice.h"
#include <memory>

MEMSHAPE_OPERATOR
float middle(const float *in, int n) {
  std::unique_ptr<float, decltype(&std::free)> copy(static_cast<float *>(std::malloc(n * sizeof(float))), &std::free);
  for (int i = 0; i < n; ++i)
    copy.get()[i] = in[i];
  return copy.get()[n / 2];
}

TWICE(sink = middle(data, number(1)))
