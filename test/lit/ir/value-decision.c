// A size read from data is a value decision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The arithmetic from the value to the size is kept: the runner is asked for what was read.
//
// RUN: %clang -std=c11 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
int sized(const unsigned *header, int n) {
  char *block = malloc((size_t)header[3] * 12 + n);
  block[n] = 1;
  int first = block[header[0]];
  free(block);
  return first;
}

// CHECK: define internal {{.*}}@sized
// CHECK: [[READ:%.*]] = call i64 @memshape_sk_bounded_value(i32 0, i64 0)
// CHECK: 12
// CHECK: @memshape_sk_alloc(
// CHECK-NOT: call {{.*}}@memshape_sk_{{(bounded_)?}}value(

// FACTS: "effect": "size"
// FACTS: "kind": "value"
