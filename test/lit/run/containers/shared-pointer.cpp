// std::shared_ptr.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reference counts decide when the object is freed; they come from the program, not from data.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <memory>
#include <vector>

struct Grid {
  std::vector<float> cells;
  explicit Grid(int n) : cells(n) {}
};

MEMSHAPE_OPERATOR
float share(const float *in, int n) {
  auto grid = std::make_shared<Grid>(n);
  std::vector<std::shared_ptr<Grid>> owners(3, grid);
  grid->cells[0] = in[0];
  return owners.back()->cells[0];
}

TWICE(sink = share(data, number(1)))
