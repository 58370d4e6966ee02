// Pointers that move with their block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The distance from one block to another, added to a pointer into the one, leads into the other.
//
// RUN: %clang -O2 %operator
// RUN: %compare %t --shape n=50 -- 50
// RUN: %compare %t --shape n=3 -- 3

#include "../Inputs/twice.h"
#include <stdint.h>
#include <stdlib.h>

struct node {
  struct node *next;
  size_t bytes;
};

MEMSHAPE_OPERATOR
void moved_list(const float *in, float *out, int n) {
  struct node *block = malloc(n * sizeof *block);
  for (int i = 0; i < n; ++i) {
    block[i].next = i + 1 < n ? &block[i + 1] : 0;
    block[i].bytes = 8 * (i % 5 + 1);
  }
  struct node *larger = malloc(2 * n * sizeof *larger);
  intptr_t shift = (char *)larger - (char *)block;
  for (int i = 0; i < n; ++i) {
    larger[i].bytes = block[i].bytes + 1;
    larger[i].next = block[i].next ? (struct node *)((char *)block[i].next + shift) : 0;
  }
  free(block);
  for (struct node *at = larger; at; at = at->next) {
    float *part = calloc(at->bytes, 1);
    out[0] += in[0] + part[0];
    free(part);
  }
  free(larger);
}

TWICE(moved_list(data, more, number(1)))
