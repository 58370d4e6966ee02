// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// Variables that hold memory: first and last use, and whether they die before the operator returns.

#include <cstdlib>
#include <vector>

[[memshape::operator]] std::vector<float> shift(const float *in, int n) {
  std::vector<float> work(n);
  float *raw = static_cast<float *>(std::malloc(n * sizeof(float)));
  std::vector<float> result(n + 1);
  for (int i = 0; i < n; ++i)
    result[i] = work[i] = raw[i] = in[i];
  std::free(raw);
  return result;
}

// CHECK-DAG: intermediate function={shift} name={work} first_use={[[#@LINE-5]]} last_use={[[#@LINE-5]]} dies_before_return={yes}
// CHECK-DAG: intermediate function={shift} name={raw} first_use={[[#@LINE-6]]} last_use={[[#@LINE-5]]} dies_before_return={yes}
// CHECK-DAG: intermediate function={shift} name={result} {{.*}} dies_before_return={no}
// CHECK: transformation new_output
// CHECK-NEXT: output name={null} also_read={no}
