// Objects whose class is asked for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The class of an object says whether a cast succeeds. The operator is exact where each object is of one class, and
// where a shape symbol chooses the class.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape kind=0,n=50 -- 0 50
// RUN: %compare %t --shape kind=1,n=50 -- 1 50

#include "../Inputs/twice.h"
#include <memory>
#include <vector>

struct Shape {
  virtual ~Shape() = default;
};
struct Line : Shape {};
struct Grid : Shape {
  int rows;
  explicit Grid(int n) : rows(2 * n) {}
};
struct Cube : Grid {
  explicit Cube(int n) : Grid(3 * n) {}
};

static __attribute__((noinline)) int extent(const Shape &of) {
  const auto *grid = dynamic_cast<const Grid *>(&of);
  return grid ? grid->rows : 1;
}

MEMSHAPE_OPERATOR
void filter(const float *in, int kind, int n) {
  std::unique_ptr<Shape> chosen;
  if (kind == 0)
    chosen = std::make_unique<Line>();
  else
    chosen = std::make_unique<Cube>(n);
  std::vector<float> sums(extent(*chosen)), more(extent(Grid(n)));
  sums[0] = more[0] = in[0];
}

TWICE(filter(data, number(1), number(2)))
