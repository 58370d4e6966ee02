// Headers are real, contents are not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library is called for real. What it writes into its own headers - extents, pointers, tables of functions - goes
// on into sizes; what it computes is never needed.
//
// RUN: %clangxx -std=c++20 -O2 -shared -fPIC %inputs/closed-grids.cpp -o %t.grids.so
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -fplugin-arg-memshape-summaries=%inputs/closed-grids.json \
// RUN:   -I%include -c %s -o %t.o
// RUN: %clangxx %t.o %t.grids.so -o %t
// RUN: %compare %t --shape ny=64,nx=48 -- 64 48
// RUN: %compare %t --shape ny=7,nx=101 -- 7 101

#include "../Inputs/closed-grids.h"
#include "../Inputs/twice.h"
#include <cstring>
#include <vector>

MEMSHAPE_OPERATOR
void process(const float *in, int ny, int nx, float *out) {
  std::vector<float> scaled(in, in + long(ny) * nx);
  for (float &value : scaled)
    value *= 2;
  grids::Grid given(ny, nx, scaled.data()), smooth, turned;
  grids::smooth(given, smooth);
  grids::transposed(smooth).to(turned);
  std::vector<float> column(turned.rowsNow());
  std::memcpy(column.data(), turned.data, sizeof(float) * column.size());
  out[0] = column[0] + float(grids::sum(smooth));
}

TWICE(process(data, int(number(1)), int(number(2)), more))
