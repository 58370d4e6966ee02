// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// A request that is reached from two places is one allocation.

#include <cstdlib>

static void touch(int n) { std::free(std::malloc(n)); }

[[memshape::operator]] void twice(float *, int n) {
  touch(n);
  touch(2 * n);
}

// CHECK: allocation function={touch} name={null} kind={raw} space={host} size_written={n} {{.*}} chain={null}
// CHECK-NOT: {{^}}allocation
