// What the slice keeps of writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops are gone, the ranges that they write are not: rows of a padded block, the whole output. What data decides is
// no range: that block is not announced (flag 4).
//
// RUN: %clang -std=c11 -O1 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <stdlib.h>
#include <string.h>

MEMSHAPE_OPERATOR
void padded(const float *in, const int *where, long rows, long cols, float *out) {
  float *wide = calloc(rows * cols, 4 * sizeof *wide);
  float *spots = calloc(rows, sizeof *spots);
  for (long r = 0; r < rows; ++r)
    memcpy(wide + 4 * r * cols, in + r * cols, cols * sizeof *wide);
  for (long r = 0; r < rows; ++r)
    for (float *at = spots + where[r]; *at < 1; at = spots + (where[r] + (int)*at))
      *at += wide[4 * r * cols];
  for (long r = 0; r < rows; ++r)
    out[r] = spots[r];
  free(spots);
  free(wide);
}

// CHECK: define internal {{.*}}@padded
// CHECK: [[WIDE:%[a-z0-9.]+]] = {{.*}}@memshape_sk_alloc({{.*}}, i32 5), !
// CHECK: @memshape_sk_alloc({{.*}}, i32 1), !
// CHECK: [[ROW:%[a-z0-9.]+]] = shl i64 %cols, 2
// CHECK: [[STRIDE:%[a-z0-9.]+]] = {{.*}}@llvm.smax
// CHECK: [[FIRST:%[a-z0-9.]+]] = getelementptr i8, ptr [[WIDE]], i64
// CHECK: @memshape_sk_touch(ptr [[FIRST]], i64 [[ROW]], i64 [[STRIDE]], i64 %rows)
// CHECK: @memshape_sk_touch(ptr %out, i64 {{%[a-z0-9.]+}}, i64 0, i64 1)
// CHECK-NOT: phi
// CHECK: ret void

// FACTS: "decisions": []
