// Tensor arithmetic is not in a skeleton.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Only the calls that allocate and free are left, with the sizes they need: no loop, no load but of the shape itself.
//
// RUN: %clangxx -std=c++20 -O2 -fno-vectorize -fno-unroll-loops -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
void mean(const float *in, int n, float *out) {
  std::vector<double> sums(n + 1);
  for (int i = 0; i < n; ++i)
    sums[i + 1] = sums[i] + in[i];
  for (int i = 0; i < n; ++i)
    out[i] = static_cast<float>(sums[i + 1] / n);
}

// CHECK: define internal {{.*}}mean
// CHECK-NOT: {{ load | store |fadd|fdiv| phi }}
// CHECK: @memshape_sk_alloc(
// CHECK-NOT: {{ load | store |fadd|fdiv| phi }}
// CHECK: @memshape_sk_free(
// CHECK-NOT: {{ load | store |fadd|fdiv| phi }}
// CHECK: ret void

// FACTS: "decisions": []
// FACTS: "status": "sliced"
// FACTS: "unknown": []
