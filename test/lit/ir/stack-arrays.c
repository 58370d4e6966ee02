// Arrays of variable length in C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They live on the stack: no allocation, and no obstacle for those beside them.
//
// RUN: %clang -std=c11 -O2 -fno-vectorize -fno-unroll-loops -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
int solve(const float *in, int n, float *out) {
  double pivots[n];
  double *matrix = malloc((size_t)n * n * sizeof *matrix);
  if (!matrix)
    return -1;
  for (int i = 0; i < n; ++i)
    pivots[i] = matrix[i * n] = in[i];
  for (int i = 0; i < n; ++i)
    out[i] = (float)(pivots[n - 1 - i] + matrix[i]);
  free(matrix);
  return 0;
}

// CHECK: define internal {{.*}}@solve
// CHECK-NOT: {{alloca|phi}}
// CHECK: call {{.*}}@memshape_sk_alloc(
// CHECK-NOT: {{ alloca |phi}}
// CHECK: call {{.*}}@memshape_sk_free(
// CHECK-NEXT: ret
