// A size read from data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A mask bounds it: any size up to that is within the bounds.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 0..4092 -- 100
// RUN: %compare %t --shape n=7 --bounds 0..4092 -- 7

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
float sized(const int *sizes, int n) {
  std::vector<float> block(sizes[0] & 1023);
  std::vector<float> copy(n);
  return copy[0] + static_cast<float>(block.size());
}

TWICE(sink = sized((const int *)data, number(1)))
