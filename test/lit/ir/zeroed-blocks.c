// calloc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its size is a product; where the skeleton reads the block it must find zeros (flag 2).
//
// RUN: %clang -std=c11 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
float histogram(const float *in, int n, int bins) {
  int *counts = calloc(bins, sizeof *counts);
  for (int i = 0; i < n; ++i)
    ++counts[i * 7 % bins];
  float *largest = calloc(counts[1], 12);
  largest[0] = in[0];
  float first = largest[n % 3];
  free(largest);
  free(counts);
  return first;
}

// CHECK: define internal {{.*}}@histogram
// CHECK: call {{.*}}@memshape_sk_alloc({{.*}}, i32 {{2|6}}), !
// CHECK: call {{.*}}@memshape_sk_alloc({{.*}}, i32 {{1|5}}), !

// FACTS: "decisions": []
// FACTS: "allocator": "calloc"
