// Every level, with and without -g.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The skeleton is cut from the optimised program: whatever the optimiser made of the operator, prediction and run
// agree.
//
// RUN: %held -std=c++20
// HELD -O0 n=100,levels=4
// HELD -O0 -g n=100,levels=4
// HELD -O1 n=100,levels=4
// HELD -O1 -g n=100,levels=4
// HELD -O2 -g n=100,levels=4
// HELD -O3 n=100,levels=4
// HELD -O3 -g -march=native n=100,levels=4

#include "../Inputs/twice.h"
#include <memory>
#include <vector>

MEMSHAPE_OPERATOR
float pyramid(const float *in, int n, int levels) {
  std::vector<std::unique_ptr<float[]>> all;
  int length = n;
  for (int level = 0; level < levels; ++level) {
    all.emplace_back(new float[length]);
    for (int i = 0; i < length; ++i)
      all.back()[i] = level ? all[level - 1][2 * i] : in[i];
    length = length / 2;
  }
  return all.back()[0];
}

TWICE(sink = pyramid(data, number(1), number(2)))
