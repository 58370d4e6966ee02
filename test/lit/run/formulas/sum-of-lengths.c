// A size that is a sum over data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each length is a byte: the bound adds up as the lengths do.
//
// RUN: %clang -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 1000..52000 -- 100 7
// RUN: %compare %t --shape n=1000 --bounds 10000..520000 --reached -- 1000 255

#include "../Inputs/twice.h"
#include <string.h>

MEMSHAPE_OPERATOR
double joined(const unsigned char *lengths, int n) {
  char **parts = malloc(n * sizeof *parts), *all;
  size_t total = 0;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    parts[i] = malloc(lengths[i] + 1);
    memset(parts[i], lengths[i], lengths[i] + 1);
    total += lengths[i];
  }
  all = malloc(total + n);
  memset(all, 1, n / 2);
  for (int i = 0; i < n; ++i) {
    sum += parts[i][lengths[i] / 2] + all[i / 2];
    free(parts[i]);
  }
  free(all);
  free(parts);
  return sum;
}

TWICE({
  memset(data, (int)number(2), DataBytes);
  sink = joined((unsigned char *)data, number(1));
})
