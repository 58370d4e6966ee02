// memcpy of tensor data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A copy of contents is not a reason to keep them: headers and contents are different memory.
//
// RUN: %clang -std=c11 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <stdlib.h>
#include <string.h>

struct cube {
  size_t count;
  float *values;
};

static struct cube *copied(const struct cube *from) {
  struct cube *to = malloc(sizeof *to);
  to->count = from->count;
  to->values = malloc(to->count * sizeof(float));
  memcpy(to->values, from->values, to->count * sizeof(float));
  return to;
}

MEMSHAPE_OPERATOR
float twice(float *in, int n) {
  struct cube first = {n, in};
  struct cube *second = copied(&first), *third = copied(second);
  float middle = third->values[n / 2];
  free(second->values);
  free(second);
  free(third->values);
  free(third);
  return middle;
}

// CHECK: define internal {{.*}}@twice
// CHECK-NOT: memcpy
// CHECK: call {{.*}}@memshape_sk_alloc(
// CHECK-NOT: memcpy
// CHECK: ret

// FACTS: "decisions": []
