// A function that a program may lack.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that is only declared, and weak, is there in some programs: a unit that was compiled without memshape may
// define it. With the unit that defines it there is nothing left to ask.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %clang -std=c11 -O2 -DOTHER_UNIT -c %s -o %t.plain.o
// RUN: %clang -std=c11 -O2 -DOTHER_UNIT -fplugin=%plugin -c %s -o %t.known.o
// RUN: %clang %t.o -o %t.without
// RUN: %clang %t.o %t.plain.o -o %t.plain
// RUN: %clang %t.o %t.known.o -o %t.known
// RUN: %compare %t.without --shape n=101 --bounds 0..none --because unbounded_size -- 101
// RUN: %compare %t.plain --shape n=101 --bounds 0..none --because unbounded_size -- 101
// RUN: %compare %t.plain --object %t.o --shape n=101 --bounds 0..none --because unbounded_size -- 101
// RUN: %compare %t.known --shape n=101 -- 101

#ifdef OTHER_UNIT
int padding(int n) { return n & 1; }
#else
#include "../Inputs/twice.h"

int padding(int n) __attribute__((weak));

MEMSHAPE_OPERATOR
float widened(const float *in, int n) {
  int each = padding ? 4 + padding(n) * 60 : 4;
  char *work = malloc((size_t)n * each);
  work[0] = (char)in[0];
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}

TWICE(sink = widened(data, number(1)))
#endif
