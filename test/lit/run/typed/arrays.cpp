// Arrays and images of header libraries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of a rank that the type fixes have a symbol for each dimension.
//
// RUN: %python %inputs/repaired_headers.py %t.d
// RUN: %held -std=c++17 -O2 -DNDEBUG -I/usr/include/eigen3 -ivfsoverlay %t.d/overlay.yaml
// HELD -DBLITZ -fplugin-arg-memshape-operator=laplacian u.shape[0]=30,u.shape[1]=41
// HELD -DTENSOR -fplugin-arg-memshape-operator=energy x.dimension[0]=30,x.dimension[1]=41,x.dimension[2]=5 -- 30 41
// RUN: %predict --shape x.dimension[0]=30,x.dimension[1]=41,x.dimension[2]=5 | %says "argument x {{.*}} 24,600 bytes"

#include "../Inputs/twice.h"

#if defined(BLITZ)
#include <blitz/array.h>
using Grid = blitz::Array<double, 2>;
Grid laplacian(const Grid &u) {
  Grid out(u.shape());
  out = 0;
  const blitz::Range i(1, u.extent(0) - 2), j(1, u.extent(1) - 2);
  out(i, j) = u(i - 1, j) + u(i + 1, j) + u(i, j - 1) + u(i, j + 1) - 4 * u(i, j);
  Grid scaled(u.shape());
  scaled = out * 0.25;
  return scaled;
}
static double once(long rows, long cols) {
  Grid u(rows, cols);
  u = 1;
  return laplacian(u)(0, 0);
}
#else
#include <unsupported/Eigen/CXX11/Tensor>
using Cube = Eigen::Tensor<float, 3>;
Eigen::Tensor<float, 2> energy(const Cube &x) {
  Cube squares = x * x;
  Eigen::array<int, 1> last = {2};
  Eigen::Tensor<float, 2> sums = squares.sum(last);
  return sums.sqrt();
}
static double once(long rows, long cols) {
  Cube x(rows, cols, 5);
  x.setRandom();
  return energy(x)(0, 0);
}
#endif
