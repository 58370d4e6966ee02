// memshape_data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory that a wrapper fills itself is data from then on: what it decides is a decision.
//
// RUN: %clang -std=c11 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
int wrapper(int n) {
  int *input = malloc(n * sizeof *input);
  input[0] = n;
  memshape_data(input, n * sizeof *input);
  char *block = malloc(input[0]);
  block[0] = 1;
  int first = block[input[1]];
  free(block);
  free(input);
  return first;
}

// CHECK-NOT: memshape.data
// CHECK: define internal {{.*}}@wrapper
// CHECK: call i64 @memshape_sk_bounded_value(i32 0, i64 0)
// CHECK-NOT: memshape.data

// FACTS: "kind": "value"
