// A size that a loop of at most two iterations leaves beside addresses that were copied as numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The place of the size is a pointer that the loop moves. As long as that leads anywhere in the object, the size may be
// one of its addresses. Unrolled, each iteration has a place.
//
// RUN: %clang -std=c++17 -O0 -fplugin=%plugin -I%include -c %s -o %t.0.o
// RUN: %clang -std=c++17 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %memshape predict %t.0.o --shape rows=100,columns=50 --json | %says '"peak_bytes": 400,' '"exact": true,'
// RUN: %predict --shape rows=100,columns=50 --json | %says '"peak_bytes": 400,' '"exact": true,'

#include <array>
#include <cstddef>
#include <cstdint>
#include <memshape/operator.h>
#include <vector>

namespace {

struct View {
  std::uintptr_t first, last;
  std::array<std::size_t, 2> shape;
  std::array<std::size_t, 1> axes, rest;
};

/// All axes but those of the reduction.
void reduce(View &view) {
  auto rest = view.rest.begin();
  auto axis = view.axes.begin();
  for (auto at = view.shape.begin(); at != view.shape.end() && rest != view.rest.end(); ++at)
    if (axis != view.axes.end() && std::size_t(at - view.shape.begin()) == *axis)
      ++axis;
    else
      *rest++ = *at;
}

} // namespace

MEMSHAPE_OPERATOR
void sums(const float *in, int rows, int columns, float *out) {
  const auto first = std::uintptr_t(in), last = std::uintptr_t(in + std::size_t(rows) * columns);
  View view{first, last, {std::size_t(rows), std::size_t(columns)}, {1}, {0}};
  reduce(view);
  std::vector<float> sum(view.rest[0]);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      sum[i] += in[i * columns + j];
  for (int i = 0; i < rows; ++i)
    out[i] = sum[i];
}
