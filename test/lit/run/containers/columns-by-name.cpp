// Columns under names made from numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape decides what the names are, and so where they go in the map.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100,names=17 -- 100 17
// RUN: %compare %t --shape n=3,names=1 -- 3 1

#include "../Inputs/twice.h"
#include <map>
#include <string>
#include <vector>

MEMSHAPE_OPERATOR
float columns(const float *in, int n, int names) {
  std::map<std::string, std::vector<float>> table;
  for (int i = 0; i < names; ++i)
    table["column_number_" + std::to_string(i)].assign(in, in + n);
  float sum = 0;
  for (const auto &[name, values] : table)
    sum += values[n / 2];
  return sum;
}

TWICE(sink = columns(data, number(1), number(2)))
