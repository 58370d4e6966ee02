// A string made by std::to_string.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The digits of a shape symbol: their count depends on the shape alone.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <string>

MEMSHAPE_OPERATOR
int label(const float *in, int n) {
  std::string text = "a name that does not fit in the object itself: " + std::to_string(n);
  return static_cast<int>(text.size() + static_cast<int>(in[0]));
}

TWICE(sink = label(data, number(1)))
