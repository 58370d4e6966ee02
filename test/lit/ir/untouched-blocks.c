// Blocks that nobody reads in the skeleton.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A block of tensor data needs no memory behind it (flag 1); one that holds what sizes come from does. All writes to both
// are told (flag 4).
//
// RUN: %clang -std=c11 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
void pyramid(const float *in, int n, int levels, float *out) {
  int *sizes = malloc(levels * sizeof *sizes);
  for (int l = 0; l < levels; ++l)
    sizes[l] = l ? sizes[l - 1] / 2 + 1 : n;
  for (int l = 0; l < levels; ++l) {
    float *level = malloc(sizes[l] * sizeof *level);
    for (int i = 0; i < sizes[l]; ++i)
      level[i] = in[i];
    for (int i = 0; i < sizes[l]; ++i)
      out[i] += level[sizes[l] - 1 - i];
    free(level);
  }
  free(sizes);
}

// CHECK: define internal {{.*}}@pyramid
// CHECK: call {{.*}}@memshape_sk_alloc({{.*}}, i32 4), !
// CHECK: @memshape_sk_alloc({{.*}}, i32 5), !
