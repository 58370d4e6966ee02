// Strings at -O0.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constructors of allocators, which the C++ library has compiled, make nothing.
//
// RUN: %clangxx -std=c++20 -O0 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7
// RUN: %compare %t --shape n=3 -- 3

#include "../Inputs/twice.h"
#include <string>

MEMSHAPE_OPERATOR
int label(const float *in, int n) {
  std::string text = "trace";
  for (int i = 0; i < n; ++i)
    text += 'x';
  return text[n] + (in[0] > 0);
}

TWICE(sink = label(data, number(1)))
