// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// The pattern of an operator, from what it writes, in helpers and by copies too, and from what it reads before.

#include <cstring>

[[memshape::operator]] void scale(float *x, int n, float by) {
  for (int i = 0; i < n; ++i)
    x[i] = by * x[i];
}

[[memshape::operator]] void split(const float *in, int ni, int nx, float *even, float *odd) {
  for (int i = 0; i < ni; ++i) {
    float *row = even + i * nx;
    for (int x = 0; x < nx; ++x) {
      row[x] = in[i * 2 * nx + x];
      odd[i * nx + x] = 0;
    }
  }
}

static void clear(float *to, int count) {
  for (int i = 0; i < count; ++i)
    to[i] = 0;
}

[[memshape::operator]] void second(int n, float *out) { clear(out + n, n); }

[[memshape::operator]] void duplicate(const float *in, int n, int m, float *out) {
  std::memcpy(out, in, sizeof(float) * n * m);
}

[[memshape::operator]] void stack(const float *in, int traces, int samples, float *out) {
  for (int i = 0; i < traces; ++i)
    for (int k = 0; k < samples; ++k)
      out[k] += in[i * samples + k];
}

// CHECK: operator scale
// CHECK: transformation in_place
// CHECK-NEXT: output name={x} also_read={yes}
// CHECK: operator split
// CHECK: transformation several_outputs
// CHECK-NEXT: output name={even} also_read={no}
// CHECK-NEXT: output name={odd} also_read={no}
// CHECK: operator second
// CHECK: transformation new_output
// CHECK-NEXT: output name={out} also_read={no}
// CHECK: operator duplicate
// CHECK: output name={out} also_read={no}
// CHECK: operator stack
// CHECK: transformation in_place
// CHECK-NEXT: output name={out} also_read={yes}
