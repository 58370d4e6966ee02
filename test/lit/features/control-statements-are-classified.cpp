// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// Loops, branches, switches and early returns, each by the strongest thing that it depends on; what a jump skips depends on
// the jump.

#include <cstdlib>

[[memshape::operator]] int classify(const float *in, int n, bool fast, float *out) {
  if (n <= 0)
    return 1;
  switch (n % 3) {
  case 0:
    out[0] = 0;
  }
  if (fast)
    out[0] = 1;
  int count = 0;
  for (int i = 0; i < n; ++i) {
    if (in[i] < 0)
      continue;
    ++count;
  }
  while (count > 1)
    count /= 2;
  for (int k = 0; k < 4; ++k)
    out[k] = 0;
  if (count == 7)
    return 2;
  std::free(std::malloc(n));
  return 0;
}

// CHECK: control kind={branch} {{.*}} condition={n <= 0} depends_on={shape} guards_allocation={yes}
// CHECK-NEXT: control kind={return} {{.*}} condition={n <= 0} depends_on={shape}
// CHECK-NEXT: control kind={switch} {{.*}} condition={n % 3} depends_on={shape} guards_allocation={no}
// CHECK-NEXT: control kind={branch} {{.*}} condition={fast} depends_on={setting} guards_allocation={no}
// CHECK-NEXT: control kind={loop} {{.*}} condition={i < n} depends_on={shape} guards_allocation={no}
// CHECK-NEXT: control kind={branch} {{.*}} condition={in[i] < 0} depends_on={data} guards_allocation={no}
// CHECK-NEXT: control kind={loop} {{.*}} condition={count > 1} depends_on={data} guards_allocation={no}
// CHECK-NEXT: control kind={loop} {{.*}} condition={k < 4} depends_on={constant} guards_allocation={no}
// CHECK-NEXT: control kind={branch} {{.*}} condition={count == 7} depends_on={data} guards_allocation={yes}
// CHECK-NEXT: control kind={return} {{.*}} condition={count == 7} depends_on={data}
