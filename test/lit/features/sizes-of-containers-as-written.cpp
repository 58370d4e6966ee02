// RUN: %clangxx -std=c++17 -O1 -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s

// A container's size is told as it is written, and that it depends on the shape, through local integers and casts.

#include <cstddef>
#include <vector>

[[memshape::operator]] void copy(const float *in, int ni, int nx, int ns, float *out) {
  const std::size_t plane = std::size_t(nx) * ns;
  const auto n = ni * plane;
  std::vector<float> all(n);
  std::vector<double> padded(n + 2 * plane, 1.0);
  std::vector<bool> mask(n);
  for (std::size_t i = 0; i < n; ++i)
    out[i] = in[i] + all[i] + float(padded[i]) + float(mask[i]);
}

// CHECK: operator copy symbol=_Z4copyPKfiiiPf line=[[#@LINE-10]] truncated=no
// CHECK-NEXT: parameter name={in} role={tensor} type={const float *} element={4 float}
// CHECK-NEXT: parameter name={ni} role={shape} type={int}
// CHECK: allocation function={copy} name={all} kind={container} space={host} size_written={n} depends_on={shape} loop_depth={0}
// CHECK-NEXT: allocation function={copy} name={padded} kind={container} space={host} size_written={n + 2 * plane}
// CHECK-NEXT: allocation function={copy} name={mask} kind={container} space={host} size_written={n}
// CHECK-NOT: {{^}}allocation
