// What is done with blocks, and until when.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For advice: sites that find a block unused, those whose blocks are its copy and the last use of it, those that are
// given what is in it, and what is stored in it. Line 23 still reads what line 18 allocates.
//
// RUN: %clang -std=c11 -O2 -g -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o /dev/null 2> %t.json
// RUN: FileCheck %s < %t.json

#include <memshape/operator.h>
#include <stdlib.h>
#include <string.h>

MEMSHAPE_OPERATOR
double sum(const double *in, long n, float *out) {
  double Sum = 0;
  double *Read = malloc(n * sizeof *Read);
  for (long I = 0; I < n; ++I)
    Read[I] = in[I] * in[n - I];
  float *Halves = malloc(n * sizeof *Halves);
  for (long I = 0; I < n; ++I)
    Halves[I] = (float)Read[n - I - 1];
  double *Copy = malloc(n * sizeof *Copy);
  memcpy(Copy, Read, n * sizeof *Copy);
  free(Read);
  double *Last = malloc(n * n * sizeof *Last);
  for (long I = 0; I < n * n; ++I)
    Last[I] = Copy[I % n] + Halves[I % n];
  for (long I = 0; I < n; ++I)
    out[I] = (float)Last[I * n];
  free(Last);
  free(Copy);
  free(Halves);
  return Sum;
}

// CHECK: "copied_to": [
// CHECK-NEXT: [[COPY:[0-9]+]]
// CHECK: "elements": "double",
// CHECK: "line": 18,
// CHECK-NEXT: "moved_to": [
// CHECK-NEXT: [[COPY]]
// CHECK: "unused_after": [
// CHECK-NEXT: [[LAST:[0-9]+]]
// CHECK-NEXT: ]
// CHECK: "elements": "float",
// CHECK: "line": 21,
// CHECK: "unused_after": []
// CHECK: "id": [[COPY]],
// CHECK-NEXT: "line": 24,
// CHECK: "unused_after": []
// CHECK: "elements": "double",
// CHECK: "id": [[LAST]],
// CHECK-NEXT: "line": 27,
