// Operators with variable arguments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an operator takes from its own list is data. Beside an object there is no list yet.
//
// RUN: %clang -std=c11 -O2 -fplugin-arg-memshape-operator=stacked %operator
// RUN: %compare %t --shape n=100,rows=2 -- 100
// RUN: %clang -std=c11 -O2 -fplugin-arg-memshape-operator=spaced %operator
// RUN: %compare %t --shape n=100 --bounds 0..none --because unbounded_size -- 100
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=noted -I%include -c %s -o %t.o
// RUN: not %predict --shape by.n=100 2>&1 | %says "operator 'noted' has no skeleton: it takes variable arguments beside objects"

#include "../Inputs/twice.h"
#include <stdarg.h>

double *stacked(int n, int rows, ...) {
  double *sums = calloc((size_t)n, sizeof(double));
  va_list given;
  va_start(given, rows);
  for (int i = 0; i < rows; ++i) {
    const float *row = va_arg(given, const float *);
    for (int j = 0; j < n; ++j)
      sums[j] += row[j];
  }
  va_end(given);
  return sums;
}

char *spaced(int n, ...) {
  va_list given;
  va_start(given, n);
  const int width = va_arg(given, int);
  va_end(given);
  char *out = malloc((size_t)n * width);
  memset(out, ' ', (size_t)n * width);
  return out;
}

struct size {
  int n;
};
char *noted(const struct size *by, ...) { return malloc((size_t)by->n); }

static float all(const float *in, int n) {
  double *sums = stacked(n, 2, in, in + n);
  char *space = spaced(n, 7);
  const float last = (float)sums[n - 1] + space[n];
  free(space);
  free(sums);
  return last;
}

TWICE(sink = all(data, (int)number(1)))
