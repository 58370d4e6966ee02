// Loops that only count.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose result has a closed form is computed away, however often it would turn.
//
// RUN: %clang -std=c11 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
float window(const float *in, int n) {
  size_t room = 0;
  for (int i = 0; i < n; ++i)
    room += in ? 3 : 2;
  float *block = malloc(room * sizeof *block);
  for (int i = 0; i < n; ++i)
    block[i] = in[i];
  float last = block[n / 2];
  free(block);
  return last;
}

// CHECK: define internal {{.*}}@window
// CHECK-NOT: {{phi i|load|store}}
// CHECK: call {{.*}}@memshape_sk_alloc(
// CHECK-NOT: {{phi i|load|store}}
// CHECK: call {{.*}}@memshape_sk_free(
// CHECK: ret
