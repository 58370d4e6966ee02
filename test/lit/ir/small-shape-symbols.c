// Shape symbols of all widths.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runners hand over 64 bits; the entry narrows, the operator widens by the sign of its parameter.
//
// RUN: %clang -std=c11 -O2 -fno-builtin -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
void sizes(signed char a, unsigned short b, long long c) {
  free(malloc(a));
  free(malloc(b));
  free(malloc(c));
}

// CHECK: define {{.*}}@memshape_skeleton(
// CHECK-DAG: trunc i64 {{.*}} to i8
// CHECK-DAG: trunc i64 {{.*}} to i16
// CHECK: call {{.*}}@sizes(
// CHECK: define internal {{.*}}@sizes(
// CHECK-DAG: sext i8 {{.*}} to i64
// CHECK-DAG: zext {{.*}}i16 {{.*}} to i64
