// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// A size computed from a floating-point setting keeps the computation as text.

#include <algorithm>
#include <cmath>
#include <vector>

[[memshape::operator]] float blur(const float *in, int n, double sigma) {
  const int radius = static_cast<int>(std::ceil(3 * sigma));
  std::vector<float> kernel(2 * radius + 1);
  std::vector<float> part(std::max(n, 64) + int(sigma * 0.5));
  std::vector<float> step(static_cast<int>(sigma / (2 * n)));
  return kernel[0] + part[0] + in[0] + step[0];
}

// CHECK: name={kernel} {{.*}} bytes={8*ceil(3*sigma) + 4} times={1} depends_on={setting}
// CHECK-NEXT: name={part} {{.*}} bytes={4*max(n, 64) + 4*trunc(sigma*0.5)} times={1} depends_on={setting}
// CHECK-NEXT: name={step} {{.*}} bytes={4*trunc((sigma/(2*n)))} times={1} depends_on={setting}
