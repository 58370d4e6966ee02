// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// What a lambda allocates belongs to the operator, with what it captured.

#include <algorithm>
#include <vector>

[[memshape::operator]] void each(float *x, int n) {
  const int twice = 2 * n;
  auto line = [&](int extra) { return std::vector<float>(twice + extra); };
  x[0] = line(3)[0];
  std::for_each(x, x + n, [=](float &v) {
    std::vector<double> local(twice);
    v += float(local[0]);
  });
}

// CHECK: allocation function={each} name={null} kind={container} space={host} size_written={twice + extra}
// CHECK-NEXT: allocation function={each} name={local} kind={container} space={host} size_written={twice}
