// Statements of assembly.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody reads what a statement does: its results, and the memory that it is given, are data. One that does nothing
// hands on what it is given; a time stamp is chance.
//
// RUN: %held -std=c11 -O2 -lm
// HELD -DSIZE=reads(in) n=100 --bounds 400..652
// HELD -DSIZE=kept(n) n=100
// HELD -DSIZE=stamp() n=100 --bounds 400..652

#include "../Inputs/twice.h"

static int reads(const float *in) {
  int bits;
  __asm__("movl (%1), %0" : "=r"(bits) : "r"(in) : "memory");
  return bits >> 20 & 63;
}

static int kept(int n) {
  __asm__ volatile("" : "+r"(n) : : "memory");
  return n;
}

static int stamp(void) { return (int)(__builtin_readcyclecounter() & 63); }

MEMSHAPE_OPERATOR
float assembled(const float *in, int n) {
  float *work = malloc(sizeof(float) * (n + SIZE));
  work[0] = in[0];
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}

TWICE(sink = assembled(data, number(1)))
