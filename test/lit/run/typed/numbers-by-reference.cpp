// Numbers that are passed by a reference to a constant.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents and settings like those that are passed by value; but what the caller passes may lie in a tensor.
//
// RUN: %held -std=c++17 -O2 -fplugin-arg-memshape-operator=*
// HELD copied n=100
// HELD scaled n=100 --set scale=2.5
// HELD padded n=100
// HELD padded n=100,more=7
// HELD of_a_grid g.cells=100 --bounds 0..none --because unbounded_size -- 100
// HELD its_own n=100 --bounds 1..400

#include "../Inputs/twice.h"
#include <vector>

std::vector<float> copied(const float *in, const std::size_t &n) { return std::vector<float>(in, in + n); }

std::vector<float> scaled(const float *in, const int &n, const double &scale) {
  return std::vector<float>(std::size_t(n * scale), in[0]);
}

std::vector<float> padded(const float *in, const int &n, const int &more = 20) {
  std::vector<float> out(n + more);
  out[0] = in[0];
  return out;
}

int its_own(const int &n, int *to) {
  to[0] = 5;
  std::vector<int> work(n);
  work[0] = to[1];
  return to[work[n / 2] & 7];
}

struct grid {
  int cells;
};

// The reference may be one to a member of the other argument.
int of_a_grid(const int &n, grid &g) {
  g.cells = 7;
  std::vector<int> work(n);
  return work.empty() ? 0 : work.back() + g.cells;
}

TWICE_OF(of_a_grid, (void)0; grid g = {100}; sink = of_a_grid(g.cells, g))
TWICE_OF(copied, sink = copied(data, std::size_t(number(1))).back())
TWICE_OF(scaled, sink = scaled(data, int(number(1)), 2.5).back())
TWICE_OF(padded,
         sink = (arguments[2] ? padded(data, int(number(1)), int(number(2))) : padded(data, int(number(1)))).back())
TWICE_OF(its_own, (*reinterpret_cast<int *>(data) = 100,
                   sink = its_own(*reinterpret_cast<int *>(data), reinterpret_cast<int *>(data))))
TWICE_EACH
