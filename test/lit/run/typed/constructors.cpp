// Constructors as operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One is named as its class is, with what the class is in or without. What it leaves in its object is what it returns.
//
// RUN: %clangxx -std=c++17 -O2 -fplugin-arg-memshape-operator=Grid %operatorxx
// RUN: %compare %t --shape nx=10,ny=30 -- 10 30
// RUN: %predict --operator survey::Grid::Grid --shape nx=10,ny=30 | FileCheck %s
// CHECK: peak heap {{.*}} 4,800 bytes exact
// CHECK: left at return {{.*}} 2,400 bytes
// RUN: %clangxx -std=c++17 -O0 -fplugin-arg-memshape-operator=survey::Grid::Grid %operatorxx
// RUN: %compare %t --shape nx=10,ny=30 -- 10 30
//
// One that takes an object, of a class that is made here, and of an instance of a template. None of `*`.
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=Copy -fplugin-arg-memshape-operator=Row -I%include -c %s -o %t.o
// RUN: %predict --operator Copy --shape of.nx=10,of.ny=30 | %says "peak heap {{.*}} 2,400 bytes exact"
// RUN: %predict --operator Row --shape n=100 | %says "peak heap {{.*}} 400 bytes exact"
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator='*' -I%include -c %s -o %t.o
// RUN: not %predict --operator Grid --shape nx=10,ny=30 2>&1 | %says "has no operator 'Grid'"

#include "../Inputs/twice.h"
#include <vector>

namespace survey {
class Grid {
public:
  Grid(int nx, int ny);
  ~Grid();
  double at(long i) const { return values[i]; }

  const int nx, ny;

private:
  double *values;
};

Grid::Grid(int nx, int ny) : nx(nx), ny(ny), values(new double[long(nx) * ny]) {
  std::vector<double> start(long(nx) * ny, 1);
  for (long i = 0; i < long(nx) * ny; ++i)
    values[i] = start[i] + i;
}
Grid::~Grid() { delete[] values; }
} // namespace survey

class Copy {
public:
  explicit Copy(const survey::Grid &of);

private:
  std::vector<double> values;
};
Copy::Copy(const survey::Grid &of) : values(long(of.nx) * of.ny) {
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = of.at(long(i));
}

template <class T> struct Row {
  explicit Row(int n) : values(n) {}
  std::vector<T> values;
};
template struct Row<float>;

static double once(int nx, int ny) {
  const survey::Grid made(nx, ny);
  return made.at(nx);
}

double doubled(int n) { return 2 * n; }

TWICE(sink = once(int(number(1)), int(number(2))))
