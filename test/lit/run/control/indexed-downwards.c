// A pointer into the middle of a block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kept in memory and indexed downwards by a variable, it reaches what stands in front of it, sizes included.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include %s -o %t
// RUN: %compare %t --shape n=100,back=8 -- 100 8

#include "../Inputs/twice.h"

struct table {
  int *middle;
};

MEMSHAPE_OPERATOR
int look(const float *in, int n, int back) {
  struct table *tables = malloc(n * sizeof *tables);
  int *sizes = malloc(16 * sizeof *sizes);
  sizes[0] = 3 * n;
  for (int i = 0; i < n; ++i)
    tables[i].middle = sizes + 8;
  char *block = malloc(tables[n / 2].middle[-back]);
  block[0] = in[0] > 0;
  int other = block[n];
  free(block);
  free(sizes);
  free(tables);
  return other;
}

TWICE(sink = look(data, number(1), number(2)))
