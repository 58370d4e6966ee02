// Where data is written, and which numbers are read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For plain slicing the length is data. Taint tells of what the loop writes, in front of it, and asks for the length.
//
// RUN: %clang -std=c11 -O1 -fno-discard-value-names -I%include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=memshape-import,memshape-slice -disable-output %t.ll 2>&1 | FileCheck --check-prefix=SLICE %s
// RUN: %opt -passes=memshape-import,memshape-taint -S %t.ll -o %t.taint.ll 2> %t.json
// RUN: FileCheck %s < %t.taint.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <stdlib.h>

struct vector {
  int length;
  int elements[];
};

MEMSHAPE_OPERATOR
void doubled(const int *in, int n, int *out, int last) {
  struct vector *all = malloc(sizeof *all + 4l * n);
  int *elements = &all->length;
  elements[last] = n;
  for (int i = 1; i < n; ++i)
    elements[i] = 2 * in[i];
  int *work = malloc(8l * elements[last]);
  for (int i = 0; i < n; ++i)
    work[i] = elements[n - i];
  for (int i = 0; i < n; ++i)
    out[i] = work[n - 1 - i];
  free(work);
  free(all);
}

// SLICE: "beside_data": true
// SLICE: "effect": "size"

// CHECK: define internal {{.*}}@doubled
// CHECK: [[BLOCK:%[a-z0-9.]+]] = {{.*}}@memshape_sk_alloc(
// CHECK: store i32 %n, ptr [[NUMBER:%[a-z0-9.]+]]
// CHECK: [[FIRST:%[a-z0-9.]+]] = getelementptr {{.*}}ptr [[BLOCK]], i64 4
// CHECK: @memshape_sk_taint(ptr {{.*}}[[FIRST]], i64 {{.*}}, i64
// CHECK: @memshape_sk_untainted(ptr {{.*}}[[NUMBER]], i64 4)
// CHECK: @memshape_sk_alloc(

// FACTS: "decisions": []
