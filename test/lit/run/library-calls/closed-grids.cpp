// A library that is called for real.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clangxx -std=c++20 -O2 -shared -fPIC %inputs/closed-grids.cpp -o %t.grids.so
// RUN: %held -std=c++20 -O2 -fplugin-arg-memshape-summaries=%inputs/closed-grids.json %t.grids.so
// RUN: %memshape predict %t --operator search --shape ny=64,nx=48 | FileCheck %s
// CHECK: executed on zeros; other data may make them allocate differently: grids::above

#include "../Inputs/closed-grids.h"
#include "../Inputs/twice.h"
#include <cstring>
#include <vector>

// Headers are real, contents are not. The library is called for real. What it writes into its own headers - extents,
// pointers, tables of functions - goes on into sizes; what it computes is never needed.
// HELD headers ny=64,nx=48 ny=7,nx=101
MEMSHAPE_OPERATOR
void headers(const float *in, int ny, int nx, float *out) {
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

// Headers in blocks. A block on which member functions of the library's class are called holds an array of such
// objects: what the library writes into them is real as well.
// HELD in_a_vector ny=64,nx=48 ny=7,nx=101
MEMSHAPE_OPERATOR
void in_a_vector(float *in, int ny, int nx, float *out) {
  std::vector<grids::Grid> levels(3);
  const grids::Grid given(ny, nx, in);
  for (grids::Grid &level : levels)
    grids::smooth(given, level);
  for (int k = 0; k < 2; ++k)
    grids::transposed(levels[k]).to(levels[k + 1]);
  std::vector<float> rows(levels[1].rowsNow()), columns(levels[2].columns);
  out[0] = rows[0] + columns[0];
}

// A library keeps an address. The library is given a variable once, and looks into it later: what is written there in
// between counts, though no call that is given the variable comes behind it.
// HELD kept_extents ny=64,nx=48 ny=7,nx=101
MEMSHAPE_OPERATOR
void kept_extents(const float *in, int ny, int nx, float *out) {
  grids::Extents extents{ny, nx};
  const grids::Resizer resizer(extents);
  grids::Grid grid(3, 4);
  extents = {2 * ny, nx + 1};
  resizer.resize(grid);
  out[0] = in[0] + float(grids::sum(grid));
}

// A library that looks at data. What the library finds on zeros says nothing about other data: the answer is not exact,
// and neither is one that branches on contents.
// HELD search ny=64,nx=48 --bounds 0..none --because on_zeros
MEMSHAPE_OPERATOR
void search(float *in, int ny, int nx, float *out) {
  grids::Grid given(ny, nx, in), smooth, found;
  grids::smooth(given, smooth);
  std::vector<float> more_room(smooth.data[3] > 0 ? 1000 : 10);
  grids::above(smooth, 0.1f, found);
  out[0] = float(found.columns) + more_room[0];
}

// Contents written one by one. The library was given a variable, so a pixel may lie in it, for all that is known. The
// pixels are written when the library looks at the variable no more: nothing of them goes on into sizes.
// HELD in_blocks ny=64,nx=48 ny=7,nx=101
MEMSHAPE_OPERATOR
float in_blocks(const float *in, int ny, int nx) {
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

// Where the pixels do lie in a variable and a size is read from there, data decides.
// HELD in_variable ny=64,nx=48 --bounds 0..none --because unbounded_size
MEMSHAPE_OPERATOR
float in_variable(const float *in, int ny, int nx) {
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
