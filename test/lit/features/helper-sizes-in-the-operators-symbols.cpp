// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// What a helper allocates is told in the symbols of the operator that calls it: one entry for each size, with the calls that
// lead there where there is one way.

#include <vector>

static float smooth(const float *x, int length, int width) {
  std::vector<float> line(length + 2 * width);
  line[0] = x[0];
  return line[0];
}

[[memshape::operator]] float both(const float *in, int ni, int nx, int half) {
  float sum = smooth(in, ni, half);
  for (int i = 0; i < ni; ++i)
    sum += smooth(in + i, nx, 4);
  return sum;
}

// CHECK: allocation function={smooth} name={line} kind={container} space={host} bytes={4*ni + 8*half} times={1} depends_on={shape} loop_depth={0} growth={no} conditional={no} chain={[both:[[#@LINE-6]]]}
// CHECK-NEXT: allocation function={smooth} name={line} kind={container} space={host} bytes={4*nx + 32} times={ni} depends_on={shape} loop_depth={1} growth={no} conditional={no} chain={[both:[[#@LINE-5]]]}
// CHECK: transformation scalar
