// A module without allocations is left alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No globals, no constructor, no reference to the runtime.
//
// RUN: %clang -std=c11 -O1 -g0 -I%include -S -emit-llvm %s -o - | %opt -passes=memshape-import,memshape-hooks -S | FileCheck %s

float sum(const float *in, int n) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += in[i];
  return s;
}

// CHECK-NOT: @memshape
// CHECK: define {{.*}}@sum(
// CHECK-NOT: @memshape
