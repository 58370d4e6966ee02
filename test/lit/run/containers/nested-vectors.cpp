// A vector of vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pointers in memory that was itself allocated, freed by a destructor that walks over them.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape rows=40 -- 40
// RUN: %compare %t --shape rows=3 -- 3

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
double triangle(const float *in, int rows) {
  std::vector<std::vector<double>> lines(rows);
  for (int r = 0; r < rows; ++r)
    lines[r].assign(in, in + r + 1);
  double sum = 0;
  for (const auto &line : lines)
    sum += line.back();
  return sum;
}

TWICE(sink = triangle(data, number(1)))
