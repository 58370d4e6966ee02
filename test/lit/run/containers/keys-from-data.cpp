// A map whose keys are data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One node for each key that is new: between one and all.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 40..4000 -- 100
// RUN: %compare %t --shape n=7 --bounds 40..280 -- 7

#include "../Inputs/twice.h"
#include <map>

MEMSHAPE_OPERATOR
int distinct(const int *in, int n) {
  std::map<int, int> count;
  for (int i = 0; i < n; ++i)
    ++count[in[i]];
  return static_cast<int>(count.size());
}

TWICE(sink = distinct((const int *)data, number(1)))
