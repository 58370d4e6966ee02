// The guard of a static local variable.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It is plain memory to a skeleton: a byte that the first call sets, without the C++ library's locks.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll

#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
float look(const float *in, int n) {
  static std::vector<float> table(n);
  std::vector<float> copy(in, in + n);
  return table[n / 2] + copy[0];
}

// CHECK-NOT: call {{.*}}__cxa_guard
// CHECK: define internal {{.*}}look
// CHECK: load {{.*}}i8
// CHECK: call {{.*}}@memshape_sk_alloc(
// CHECK: store i8 1
// CHECK: call {{.*}}@memshape_sk_alloc(
// CHECK-NOT: call {{.*}}__cxa_guard
