// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// A container that grows under a branch on tensor contents has a size that depends on data, and so has what it sizes.

#include <vector>

[[memshape::operator]] void pick(const float *in, int n, float level, int *out) {
  std::vector<int> found;
  for (int i = 0; i < n; ++i)
    if (in[i] > level)
      found.push_back(i);
  std::vector<float> values(found.size());
  out[0] = int(values.size());
}

// CHECK: allocation function={pick} name={found} kind={container} space={host} size_written={null} depends_on={data} loop_depth={1} growth={yes} conditional={yes}
// CHECK-NEXT: allocation function={pick} name={values} kind={container} space={host} size_written={found.size()} depends_on={data} loop_depth={0} growth={no} conditional={no}
// CHECK: control kind={loop} function={pick} condition={i < n} depends_on={shape} guards_allocation={yes}
// CHECK-NEXT: control kind={branch} function={pick} condition={in[i] > level} depends_on={data} guards_allocation={yes}
// CHECK: shares allocation_guarding_control={1} control={{.*}} data_dependent_control={0.5}
