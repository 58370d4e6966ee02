// Blocks that are freed, and that a later call remembers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A new block may lie where the old one was, or elsewhere.
//
// RUN: %clang -O0 -fplugin=%plugin -fplugin-arg-memshape-operator=op -I%include -c %s -o %t.o
// RUN: %memshape predict %t.o --shape n=10 --json | FileCheck %s
// CHECK: "exact": false

#include <stdlib.h>

void op(const char *in, int n) {
  static char *last;
  char *block = malloc(n), *more = malloc(block == last ? 8 * n : n);
  *block = *more = *in;
  last = block;
  free(more);
  free(block);
}
