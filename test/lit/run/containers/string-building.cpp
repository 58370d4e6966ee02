// A string that grows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short strings live in the object itself; long ones double.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
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
