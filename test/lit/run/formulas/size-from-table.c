// A size from a table that data looks into.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of them data choose is open, what they are is known: the smallest and the largest are the bounds.
//
// RUN: %clang -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 101..1017 --reached -- 100 2
// RUN: %compare %t --shape n=100 --bounds 101..1017 -- 100 3
// RUN: %compare %t --shape n=7 --bounds 8..459 --reached -- 7 3

#include "../Inputs/twice.h"

static const unsigned short Paddings[8] = {1, 2, 3, 300, 5, 6, 7, 8};

MEMSHAPE_OPERATOR
double looked(const unsigned *in, int n) {
  size_t sizes[4] = {(size_t)n, 2u * n, 7u * n + 17, 159}, bytes = sizes[in[0] & 3], padding = Paddings[in[1] & 7];
  char *block = malloc(bytes), *border = malloc(padding);
  double sum;
  block[0] = 1, border[0] = 2;
  sum = block[bytes / 2] + border[padding / 2];
  free(border);
  free(block);
  return sum;
}

TWICE({
  ((unsigned *)data)[0] = (unsigned)number(2);
  ((unsigned *)data)[1] = 3;
  sink = looked((unsigned *)data, number(1));
})
