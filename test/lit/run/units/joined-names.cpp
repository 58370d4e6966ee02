// Names in a map, joined to one text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name lies in the node of a map, beside a vector of data. Its small buffer ends before the vector, and what a function
// of strings returns by reference is a string, not characters.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=50,m=12 -- 50 12
// RUN: %compare %t --shape n=3,m=1 -- 3 1

#include "../Inputs/twice.h"
#include <map>
#include <string>
#include <vector>

MEMSHAPE_OPERATOR
float columns(const float *in, int n, int m) {
  std::map<std::string, std::vector<float>> columns;
  for (int j = 0; j < m; ++j) {
    std::string name = "column_number_" + std::to_string(j);
    for (int i = 0; i < n; ++i)
      columns[name].push_back(in[i * m + j]);
  }
  std::string all;
  float sum = 0;
  for (auto &[name, column] : columns) {
    all += name + ",";
    sum += column[n / 2];
  }
  return sum + all.size();
}

TWICE(sink = columns(data, number(1), number(2)))
