// setjmp and longjmp inside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes that do not jump are exact; one that does is replayed. Where data jumps there is no upper bound.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=10 -- 10
// RUN: %compare %t --shape n=100 --bounds 0..none --because no_skeleton -- 100
// RUN: %memshape predict %t --shape n=100 --json | FileCheck %s
// CHECK: "method": "replay"

#include "../Inputs/twice.h"
#include <setjmp.h>

static jmp_buf out;

static void give_up(int code) { longjmp(out, code + 1); }

static double *build(const float *in, int n) {
  double *table = malloc(8 * (size_t)n);
  if (n > 50) {
    free(table);
    give_up(n);
  }
  table[0] = in[0];
  return table;
}

MEMSHAPE_OPERATOR
double attempt(const float *in, int n) {
  double *room = malloc(16 * (size_t)n), result;
  if (setjmp(out) == 0) {
    double *table = build(in, n);
    result = table[0];
    free(table);
  } else {
    float *small = calloc((size_t)n, 40);
    result = small[0];
    free(small);
  }
  room[0] = result;
  result += room[0];
  free(room);
  return result;
}

TWICE(sink = attempt(data, (int)number(1)))
