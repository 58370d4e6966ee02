// A block that is going to be reallocated is in use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody reads what line 17 allocates between the allocations of lines 20 and 23, but what is in it goes on.
//
// RUN: %clang -std=c11 -O2 -g -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o /dev/null 2> %t.json
// RUN: FileCheck %s < %t.json

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
void grow(const double *in, long n, double *out) {
  if (n < 1)
    return;
  double *Block = malloc(n * sizeof *Block);
  for (long I = 0; I < n; ++I)
    Block[I] = in[I] * in[n - I];
  double *Other = malloc(n * n * sizeof *Other);
  for (long I = 0; I < n * n; ++I)
    Other[I] = in[I % n];
  Block = realloc(Block, 2 * n * sizeof *Block);
  for (long I = 0; I < n; ++I)
    out[I] = Block[I] + Other[I * (long)in[I]];
  free(Other);
  free(Block);
}

// CHECK: "chain": [
// CHECK: "line": 17,
// CHECK: "line": 17,
// CHECK-NEXT: "space": "host",
// CHECK-NEXT: "unused_after": []
