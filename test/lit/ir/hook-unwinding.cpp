// An operator is left by an exception.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A landing pad that cleans up tells the runtime, and the exception goes on.
//
// RUN: %clangxx -std=c++20 -O1 -I%include -S -emit-llvm %s -o - | %opt -passes=memshape-import,memshape-hooks -S | FileCheck %s

#include <memshape/operator.h>

void process(const float *in, int n);

MEMSHAPE_OPERATOR
void operate(const float *in, int n) {
  process(in, n);
  process(in + n, n);
}

// CHECK: define {{.*}}operate
// CHECK: getelementptr {{.*}}, i64 24
// CHECK: invoke {{.*}}process
// CHECK: unwind label %[[PAD:.*]]
// CHECK: invoke {{.*}}process
// CHECK: unwind label %[[PAD]]
// CHECK: getelementptr {{.*}}, i64 32
// CHECK: ret void
// CHECK: [[PAD]]:
// CHECK: landingpad
// CHECK-NEXT: cleanup
// CHECK: getelementptr {{.*}}, i64 32
// CHECK: resume
