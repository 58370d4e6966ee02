// Headers in blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block on which member functions of the library's class are called holds an array of such objects: what the library
// writes into them is real as well.
//
// RUN: %clangxx -std=c++20 -O2 -shared -fPIC %inputs/closed-grids.cpp -o %t.grids.so
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -fplugin-arg-memshape-summaries=%inputs/closed-grids.json \
// RUN:   -I%include -c %s -o %t.o
// RUN: %clangxx %t.o %t.grids.so -o %t
// RUN: %compare %t --shape ny=64,nx=48 -- 64 48
// RUN: %compare %t --shape ny=7,nx=101 -- 7 101

#include "../Inputs/closed-grids.h"
#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
void process(float *in, int ny, int nx, float *out) {
  std::vector<grids::Grid> levels(3);
  const grids::Grid given(ny, nx, in);
  for (grids::Grid &level : levels)
    grids::smooth(given, level);
  for (int k = 0; k < 2; ++k)
    grids::transposed(levels[k]).to(levels[k + 1]);
  std::vector<float> rows(levels[1].rowsNow()), columns(levels[2].columns);
  out[0] = rows[0] + columns[0];
}

TWICE(process(data, int(number(1)), int(number(2)), more))
