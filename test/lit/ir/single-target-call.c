// A function pointer with one target.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The call becomes direct, and what the function allocates is seen.
//
// RUN: %clang -std=c11 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <stdlib.h>

struct stage {
  int length;
  float (*run)(const float *in, int n);
};

static float copied(const float *in, int n) {
  float *block = malloc(n * sizeof *block);
  for (int i = 0; i < n; ++i)
    block[i] = in[i];
  float middle = block[n / 2];
  free(block);
  return middle;
}

MEMSHAPE_OPERATOR
float chain(const float *in, int n, int stages) {
  struct stage *all = malloc(stages * sizeof *all);
  float sum = 0;
  for (int s = 0; s < stages; ++s)
    all[s] = (struct stage){n + s, copied};
  for (int s = 0; s < stages; ++s)
    sum += all[s].run(in, all[s].length);
  free(all);
  return sum;
}

// CHECK-NOT: call void @memshape_sk_unknown(
// CHECK-NOT: @copied
// CHECK: define internal {{.*}}@chain
// CHECK: call {{.*}}@memshape_sk_alloc(
// CHECK: call {{.*}}@memshape_sk_alloc(
// CHECK-NOT: call void @memshape_sk_unknown(

// FACTS: "decisions": []
// FACTS: "unknown": []
