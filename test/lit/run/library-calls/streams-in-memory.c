// A stream that writes into blocks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slice does not follow what a stream in memory holds. It reaches nothing outside: a replay executes it, to its end.
//
// RUN: %clang -std=gnu11 -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 0..none --because no_skeleton -- 100
// RUN: %memshape predict %t --shape n=100 | FileCheck %s --implicit-check-not fclose
// CHECK: left at return {{.*}} 0 bytes

#include "../Inputs/twice.h"
#include <stdio.h>

MEMSHAPE_OPERATOR
float collected(const float *in, int n) {
  char *text;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  for (int i = 0; i < n; i++)
    fputc('a' + (in[0] > 0), file);
  fclose(file);
  float result = text[n / 2];
  free(text);
  return result;
}

TWICE(sink = collected(data, number(1)))
