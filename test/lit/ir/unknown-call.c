// A function that nobody knows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It is not executed: a mark stands in its place, and its result is data.
//
// RUN: %clang -std=c11 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <stdlib.h>

int vendor_plan(int n);

MEMSHAPE_OPERATOR
float planned(const float *in, int n) {
  float *block = malloc(vendor_plan(n) * sizeof *block);
  block[0] = in[0];
  float first = block[n];
  free(block);
  return first;
}

// CHECK: define internal {{.*}}@planned
// CHECK-NOT: call {{.*}}@vendor_plan
// CHECK: call void @memshape_sk_unknown(i32 0)
// CHECK-NOT: call {{.*}}@vendor_plan

// FACTS: "kind": "value"
// FACTS: "symbol": "vendor_plan"
// FACTS: "treatment": "dropped"
