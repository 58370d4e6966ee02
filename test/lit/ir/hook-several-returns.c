// An operator is left at each return.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Enter once, leave on every way out, with the same record.
//
// RUN: %clang -std=c11 -O1 -fno-optimize-sibling-calls -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-hooks -S | FileCheck %s

#include <memshape/operator.h>

int trace(const float *in, int n, float *out);
int shift(float *out);

MEMSHAPE_OPERATOR
int operate(const float *in, int n, double scale, float *out) {
  if (n < 4)
    return trace(in, n, out);
  if (scale > 2)
    return shift(out);
  return 0;
}

// CHECK: @memshape.operator = private constant
// CHECK: define {{.*}}@operate(
// CHECK: [[CALL:%.*]] = alloca
// CHECK: sext i32 {{.*}} to i64
// CHECK: getelementptr {{.*}}, i64 24
// CHECK: call void %{{.*}}([[RECORD:.* ]][[CALL]])
// CHECK: getelementptr {{.*}}, i64 32
// CHECK: call void %{{.*}}([[RECORD]][[CALL]])
// CHECK: ret i32
