// A law with a window of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Short strings, doubled capacities and exact ones: the peak follows one law over most lengths and another over a dozen.
// No formula is a good answer; one that fails between the lengths that were drawn is not.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=28 -- 28
// RUN: %python %S/../formula.py %memshape %t n 20 17 40
//

#include "../Inputs/twice.h"
#include <string>

MEMSHAPE_OPERATOR
float text(const float *in, int n) {
  std::string letters(n, 'a'), longer = letters + "tail", half = longer.substr(n / 2), all;
  all.reserve(n);
  all += half;
  all.insert(n / 3, "xyz");
  all.replace(0, 1, longer);
  return in[all.size() % 3];
}

TWICE(sink = text(data, number(1)))
