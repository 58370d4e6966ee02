// A thread_local buffer that only grows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The second call finds what the first has left.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
float scratch(const float *in, int n) {
  thread_local std::vector<float> buffer;
  if (buffer.size() < static_cast<std::size_t>(n))
    buffer.resize(n);
  std::vector<float> copy(in, in + n);
  buffer[0] = copy[0];
  return buffer[0];
}

TWICE(sink = scratch(data, number(1)))
