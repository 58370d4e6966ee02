// A library that looks at data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library finds on zeros says nothing about other data: the answer is not exact, and neither is one that
// branches on contents.
//
// RUN: %clangxx -std=c++20 -O2 -shared -fPIC %inputs/closed-grids.cpp -o %t.grids.so
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -fplugin-arg-memshape-summaries=%inputs/closed-grids.json \
// RUN:   -I%include -c %s -o %t.o
// RUN: %clangxx %t.o %t.grids.so -o %t
// RUN: %compare %t --shape ny=64,nx=48 --bounds 0..none --because on_zeros -- 64 48
// RUN: %memshape predict %t --shape ny=64,nx=48 | FileCheck %s
// CHECK: executed on zeros; other data may make them allocate differently: grids::above

#include "../Inputs/closed-grids.h"
#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
void process(float *in, int ny, int nx, float *out) {
  grids::Grid given(ny, nx, in), smooth, found;
  grids::smooth(given, smooth);
  std::vector<float> more_room(smooth.data[3] > 0 ? 1000 : 10);
  grids::above(smooth, 0.1f, found);
  out[0] = float(found.columns) + more_room[0];
}

TWICE(process(data, int(number(1)), int(number(2)), more))
