// No formula of a few shapes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A formula of a site stands beside that of the peak without a range of its own. At 64 x 64 the halves are constants of
// 65 x 65 too: what holds on these few shapes only is not shown.
//
// RUN: %clangxx -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --operator pooled --shape ci=2,h=64,w=64,co=1000 | FileCheck %s
//
// CHECK:      formula   4*h*w*co + max(
// CHECK-NEXT: verified at 500 other shapes, for 1 <= ci, h, w, co <= 2000
// CHECK:      At the peak
// CHECK-NEXT: 100.0 %  {{.*}}.cpp:[[#@LINE+3]]  grab{{$}}
#include <cstdlib>
#include <memshape/operator.h>
__attribute__((noinline)) static float *grab(long n) { return static_cast<float *>(std::malloc(n * sizeof(float))); }
MEMSHAPE_OPERATOR void pooled(const float *in, long ci, long h, long w, long co, float *out) {
  float *columns = grab(9 * ci * h * w), *conv = grab(co * h * w);
  columns[0] = in[0];
  out[0] = columns[h] + conv[w];
  std::free(columns);
  float *pool = grab(co * (h / 2) * (w / 2));
  pool[0] = conv[0];
  out[1] = pool[h];
  std::free(conv);
  std::free(pool);
}
