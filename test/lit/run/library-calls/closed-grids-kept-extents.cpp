// A library keeps an address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library is given a variable once, and looks into it later: what is written there in between counts, though no
// call that is given the variable comes behind it.
//
// RUN: %clangxx -std=c++20 -O2 -shared -fPIC %inputs/closed-grids.cpp -o %t.grids.so
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -fplugin-arg-memshape-summaries=%inputs/closed-grids.json \
// RUN:   -I%include -c %s -o %t.o
// RUN: %clangxx %t.o %t.grids.so -o %t
// RUN: %compare %t --shape ny=64,nx=48 -- 64 48
// RUN: %compare %t --shape ny=7,nx=101 -- 7 101

#include "../Inputs/closed-grids.h"
#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
void process(const float *in, int ny, int nx, float *out) {
  grids::Extents extents{ny, nx};
  const grids::Resizer resizer(extents);
  grids::Grid grid(3, 4);
  extents = {2 * ny, nx + 1};
  resizer.resize(grid);
  out[0] = in[0] + float(grids::sum(grid));
}

TWICE(process(data, int(number(1)), int(number(2)), more))
