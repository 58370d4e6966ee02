// A function that calls itself.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It stays a function of the skeleton, with its own blocks at each level.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <vector>

static void halve(const float *in, int n, float *out) {
  if (n < 2) {
    *out += in[0];
    return;
  }
  std::vector<float> copy(in, in + n);
  halve(copy.data(), n / 2, out);
  halve(copy.data() + n / 2, n - n / 2, out);
}

MEMSHAPE_OPERATOR
void tree(const float *in, int n, float *out) { halve(in, n, out); }

// CHECK: define internal {{.*}}[[HALVE:@[_a-zA-Z0-9]*halve[_a-zA-Z0-9]*]](
// CHECK: call {{.*}}@memshape_sk_alloc(
// CHECK: call {{.*}}[[HALVE]](
// CHECK: call {{.*}}[[HALVE]](
// CHECK: call {{.*}}@memshape_sk_free(

// FACTS: "decisions": []
