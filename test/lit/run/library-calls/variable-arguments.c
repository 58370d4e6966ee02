// Data handed over as a variable argument.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function takes from its list of arguments is data where the caller gave data.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 0..none --because unbounded_size -- 100
// RUN: %compare %t --shape n=3 --bounds 0..none --because unbounded_size -- 3

#include "../Inputs/twice.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static __attribute__((noinline)) int write_text(char *text, size_t room, const char *form, ...) {
  va_list given;
  va_start(given, form);
  int length = vsnprintf(text, room, form, given);
  va_end(given);
  return length;
}

MEMSHAPE_OPERATOR
float label(const float *in, int n) {
  char text[64];
  int length = write_text(text, sizeof text, "%f", in[0] * 1e6);
  char *copy = malloc((size_t)n * length);
  for (int i = 0; i < n; ++i)
    memcpy(copy + i * length, text, length);
  float result = copy[n * length / 2] + copy[text[1] % length];
  free(copy);
  return result;
}

TWICE(sink = label(data, number(1)))
