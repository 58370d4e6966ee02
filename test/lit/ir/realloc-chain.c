// realloc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The new block takes the place of the old one; its contents are the old ones.
//
// RUN: %clang -std=c11 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
float grow(const float *in, int n) {
  float *block = NULL;
  size_t room = 0;
  for (int i = 0; i < n; ++i) {
    if (i == room)
      block = realloc(block, (room = 2 * room + 8) * sizeof *block);
    block[i] = in[i];
  }
  float middle = block[n / 2];
  free(block);
  return middle;
}

// CHECK: define internal {{.*}}@grow
// CHECK-NOT: {{load float|store float}}
// CHECK-DAG: call {{.*}}@memshape_sk_realloc(
// CHECK-DAG: call {{.*}}@memshape_sk_free(
// CHECK-NOT: {{load float|store float}}

// FACTS: "decisions": []
// FACTS: "allocator": "realloc"
