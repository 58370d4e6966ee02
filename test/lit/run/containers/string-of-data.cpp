// Characters that come from data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A short string keeps its characters where a long one keeps its capacity: what is stored there may be either.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 0..418 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <string>

MEMSHAPE_OPERATOR
int label(const float *in, int n) {
  std::string text = "trace";
  for (int i = 0; i < n; ++i)
    text += in[i] > 0 ? '1' : '0';
  return text[n];
}

TWICE(sink = label(data, number(1)))
