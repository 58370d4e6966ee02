// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// A recursive helper is walked once; what it allocates is listed once.

#include <vector>

static void sort(float *x, int n) {
  if (n < 2)
    return;
  std::vector<float> half(n / 2);
  sort(x, n / 2);
  sort(x + n / 2, n - n / 2);
}

[[memshape::operator]] void order(float *x, int n) { sort(x, n); }

// CHECK: operator order {{.*}} truncated=no
// CHECK: allocation function={sort} name={half} kind={container} space={host} size_written={n / 2}
// CHECK-NOT: {{^}}allocation
