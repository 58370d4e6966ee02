// Text that the C library makes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments by position, a long precision, and %m of scanf need memory of the C library. Such a call is executed, and
// counted; what the program's stack holds, a constant format tells. Wide text needs what the program's locale is.
//
// RUN: %held -std=gnu11 -O2
// HELD -DKIND=1 n=100
// HELD -DKIND=2 n=100
// HELD -DKIND=3 n=100 n=700
// HELD -DKIND=4 n=100 --bounds 0..none --because unbounded_size
// HELD -DKIND=5 n=100 --bounds 0..none --because on_zeros
// HELD -DKIND=6 n=100
// HELD -DKIND=7 n=100 --bounds 0..none --because left_out
// HELD -DKIND=8 n=100 --bounds 0..none --because no_skeleton

#include "../Inputs/twice.h"
#include <stdarg.h>
#include <stdio.h>

static void say(const char *format, ...) {
  va_list all;
  va_start(all, format);
  vfprintf(stderr, format, all);
  va_end(all);
}

static void made(char *text, const float *in, int n) {
  if (KIND == 1) { // what there is room for on the stack
    snprintf(text, 9999, "%d %s %.3f %*d", n, "samples", in[0], n, 1);
    say("%d of %s, %.17g\n", n, "samples", in[1]);
    say(n & 1 ? "odd\n" : "even: %d\n", n);
  } else if (KIND == 2) {
    snprintf(text, 9999, "%2$d %1$d %3$d %4$d %5$d %6$d %7$d %8$d %9$d %10$d %11$d %12$d %13$d %14$d %15$d %16$d", n, 2,
             3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
  } else if (KIND == 3) {
    snprintf(text, 9999, "%.*f", 300 * n, 1. / 3);
  } else if (KIND == 4) {
    snprintf(text, 9999, "%.*f", (int)in[0], 1. / 3);
  } else if (KIND == 5) {
    char *word = 0;
    memset(text, 'a', n), text[n] = 0;
    if (sscanf(text, "%ms", &word) == 1)
      free(word);
  } else if (KIND == 8) {
    snprintf(text, 9999, "%.9ls", L"samples");
  } else if (KIND == 6) { // no number of a line is longer than the line
    char line[64];
    int whole;
    float real;
    memset(line, '7', 63), line[63] = 0, line[9] = in[0] > 0 ? ' ' : '8';
    sink = sscanf(line, "%d %f", &whole, &real) + sscanf(text, "%5d %[^,]", &whole, line);
  } else {
    fprintf(stderr, "%.*f", (int)in[0], 1. / 3);
  }
}

MEMSHAPE_OPERATOR
float written(const float *in, int n) {
  char *text = calloc(10000, 1), *work = malloc(n);
  made(text, in, n);
  work[0] = text[0];
  float result = work[n / 2] = text[n];
  free(text);
  free(work);
  return result;
}
