// Loops that ask and do nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether any sample is negative, and whether one is too large, is asked once each: no loop is left.
//
// RUN: %clangxx -std=c++20 -O2 -fno-vectorize -fno-unroll-loops -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll

#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
float clipped(const float *in, int n) {
  bool negative = false;
  for (int i = 0; i < n; ++i)
    negative |= in[i] < 0;
  for (int row = 0; row < n; ++row)
    for (int i = 0; i < n; ++i)
      if (in[row * n + i] > 100)
        return 0;
  std::vector<float> copy(in, in + n);
  if (negative) {
    std::vector<float> mask(copy);
    copy[0] = mask[n / 2];
  }
  return copy[n / 2];
}

// CHECK: define internal {{.*}}clipped
// CHECK-NOT: !llvm.loop
// CHECK-COUNT-2: call i32 @memshape_sk_decide
// CHECK-NOT: call i32 @memshape_sk_decide
// CHECK: }
