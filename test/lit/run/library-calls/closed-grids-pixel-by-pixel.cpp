// Contents written one by one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library was given a variable, so a pixel may lie in it, for all that is known. The pixels are written when the
// library looks at the variable no more: nothing of them goes on into sizes. Where the pixels do lie in a variable and
// a size is read from there, data decides.
//
// RUN: %clangxx -std=c++20 -O2 -shared -fPIC %inputs/closed-grids.cpp -o %t.grids.so
// RUN: %clangxx -std=c++20 -O2 -DPIXELS=inBlocks -fplugin=%plugin -I%include \
// RUN:   -fplugin-arg-memshape-summaries=%inputs/closed-grids.json -c %s -o %t.o
// RUN: %clangxx %t.o %t.grids.so -o %t
// RUN: %compare %t --shape ny=64,nx=48 -- 64 48
// RUN: %compare %t --shape ny=7,nx=101 -- 7 101
// RUN: %clangxx -std=c++20 -O2 -DPIXELS=inVariable -fplugin=%plugin -I%include \
// RUN:   -fplugin-arg-memshape-summaries=%inputs/closed-grids.json -c %s -o %t.o
// RUN: %clangxx %t.o %t.grids.so -o %t
// RUN: %compare %t --shape ny=64,nx=48 --bounds 0..none --because unbounded_size -- 64 48

#include "../Inputs/closed-grids.h"
#include "../Inputs/twice.h"
#include <vector>

static float inBlocks(const float *in, int ny, int nx) {
  float sum = 0;
  for (int turn = 1; turn < 3; ++turn) {
    grids::Grid filled(ny, nx), turned(nx, ny);
    filled.fill({float(ny), 1, 2, 3});
    turned.fill({float(turn)});
    for (int r = 0; r < filled.rows; ++r)
      for (int c = 0; c < filled.columns; ++c)
        turned.data[long(c) * ny + r] = filled.data[long(r) * nx + c] += in[(r + c) & 1023];
    std::vector<float> column(filled.rowsNow() * turn);
    grids::Grid above(turned.rows, filled.columns);
    column[0] = turned.data[0];
    sum += column[0] + float(grids::sum(filled));
  }
  return sum;
}

static float inVariable(const float *in, int ny, int nx) {
  grids::Grid filled(ny, nx);
  float variable[6] = {1, 2, 3, 4, 5, 6};
  grids::Grid small(2, 3, variable);
  filled.fill({float(grids::sum(small))});
  for (int i = 0; i < 6; ++i)
    small.data[i] = in[i] > 0 ? 1000 : in[i] < -2 ? 500 : 0;
  std::vector<char> block(static_cast<unsigned>(variable[nx % 6]));
  if (!block.empty())
    block[0] = in[0] > 0;
  return filled.data[0] + float(block.size());
}

MEMSHAPE_OPERATOR
void process(const float *in, int ny, int nx, float *out) { out[0] = PIXELS(in, ny, nx); }

TWICE(process(data, int(number(1)), int(number(2)), more))
