// A check of the shape that throws.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A shape that the operator refuses ends the evaluation with reason 0: there is no peak to tell.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll

#include <memshape/operator.h>
#include <stdexcept>
#include <vector>

MEMSHAPE_OPERATOR
void filter(const float *in, int n, int width, float *out) {
  if (width > n / 2)
    throw std::invalid_argument("width");
  std::vector<float> copy(n);
  for (int i = 0; i < n; ++i)
    copy[i] = in[i];
  for (int i = 0; i < n; ++i)
    out[i] = copy[n - 1 - i];
}

// CHECK: define internal {{.*}}filter
// CHECK: icmp
// CHECK: {{br|select}}
// CHECK-DAG: call void @memshape_sk_leave(i32 0)
// CHECK-DAG: call {{.*}}@memshape_sk_alloc(
// CHECK-NOT: __cxa_throw
