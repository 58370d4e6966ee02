// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// The same request reached from two places is one allocation; how often it happens adds up.

#include <cstdlib>

static void touch(int n) { std::free(std::malloc(n)); }

[[memshape::operator]] void twice(float *, int n) {
  touch(n);
  touch(n);
}

// CHECK: allocation function={touch} name={null} kind={raw} space={host} bytes={n} {{.*}} chain={null}
// CHECK-NOT: {{^}}allocation
