/* A size that is the largest of many counts.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Each count grows by one in a turn, if at all: none is greater than there are turns.

  RUN: %clang -O2 %operator
   RUN: %compare %t --shape n=100 --bounds 4..404 --reached -- 100 0
   RUN: %compare %t --shape n=100 --bounds 4..404 -- 100 5
   */

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
long fullest(const unsigned *keys, int n) {
  int counts[32] = {0}, most = 0;
  int *longest;
  long sum;
  for (int i = 0; i < n; ++i)
    ++counts[keys[i] & 31];
  for (int bucket = 0; bucket < 32; ++bucket)
    if (counts[bucket] > most)
      most = counts[bucket];
  longest = malloc((most + 1) * sizeof *longest);
  for (int i = 0; i <= most; ++i)
    longest[i] = (int)keys[i];
  sum = longest[most / 2];
  free(longest);
  return sum;
}

TWICE({
  for (int at = 0; at < 1000; ++at)
    ((unsigned *)data)[at] = (unsigned)(at * number(2));
  sink = fullest((unsigned *)data, number(1));
})
