/* A table of chains that data fill.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Which chain a key joins, and whether it is there already, depends on data. But no turn makes more than one node: the
   bound is that of n different keys, which some data reach.

  RUN: %clang -O2 %operator
   RUN: %compare %t --shape n=100 --bounds 0..2112 --reached -- 100 1
   RUN: %compare %t --shape n=100 --bounds 0..2112 -- 100 0
   RUN: %compare %t --shape n=7 --bounds 0..624 --reached -- 7 3
   RUN: %memshape predict %t --shape n=100 --json | FileCheck %s
   CHECK: the upper bound is counted
   */

#include "../Inputs/twice.h"

struct node {
  struct node *next;
  unsigned key;
};

MEMSHAPE_OPERATOR
long distinct(const unsigned *keys, int n) {
  struct node **chains = calloc(64, sizeof *chains);
  long found = 0;
  for (int i = 0; i < n; ++i) {
    struct node *each = chains[keys[i] & 63];
    while (each && each->key != keys[i])
      each = each->next;
    if (each)
      continue;
    each = malloc(sizeof *each);
    each->key = keys[i];
    each->next = chains[keys[i] & 63];
    chains[keys[i] & 63] = each;
    ++found;
  }
  for (int chain = 0; chain < 64; ++chain)
    while (chains[chain]) {
      struct node *each = chains[chain];
      chains[chain] = each->next;
      free(each);
    }
  free(chains);
  return found;
}

TWICE({
  for (int at = 0; at < 1000; ++at)
    ((unsigned *)data)[at] = (unsigned)(at * number(2));
  sink = distinct((unsigned *)data, number(1));
})
