// A count of elements picked by value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between none and all of them.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=1000 --bounds 0..16000 -- 1000

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
int picks(const float *in, int n) {
  std::vector<int> where;
  for (int i = 0; i < n; ++i)
    if (in[i] > 0)
      where.push_back(i);
  return static_cast<int>(where.size());
}

TWICE(sink = picks(data, number(1)))
