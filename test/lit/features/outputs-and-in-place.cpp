// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// The pattern of an operator and how far its outputs reach, from the loops that write them.

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

[[memshape::operator]] void pad(const float *in, int n, float *out) {
  for (int i = 0; i <= n; ++i)
    out[i + 1] = i < n ? in[i] : 0;
}

// CHECK: operator scale
// CHECK: transformation in_place
// CHECK-NEXT: output name={x} elements={n}
// CHECK: operator split
// CHECK: transformation several_outputs
// CHECK-NEXT: output name={even} elements={ni*nx}
// CHECK-NEXT: output name={odd} elements={ni*nx}
// CHECK: operator pad
// CHECK: transformation new_output
// CHECK-NEXT: output name={out} elements={n + 2}
