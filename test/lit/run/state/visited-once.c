/* A list of what is to be visited.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   How long the loop turns is up to data. But a place is put on the list only if it is not marked, and marked then: no
   more than n entries are made in the loop, and the one before it has gone by then.

  RUN: %clang -O2 %operator
   RUN: %compare %t --shape n=100 --bounds 116..1700 -- 100 1
   RUN: %compare %t --shape n=100 --bounds 116..1700 -- 100 0
   */

#include "../Inputs/twice.h"

struct entry {
  struct entry *next;
  int place;
};

MEMSHAPE_OPERATOR
long reached(const unsigned *to, int n) {
  char *seen = calloc(n, 1);
  struct entry *list = malloc(sizeof *list);
  long visits = 0;
  list->place = 0;
  list->next = NULL;
  seen[0] = 1;
  while (list) {
    struct entry *first = list;
    unsigned at = (unsigned)first->place;
    list = first->next;
    free(first);
    ++visits;
    for (unsigned step = 0; step < to[at] % 8; ++step) {
      unsigned next = (to[at] / 8 + step) % (unsigned)n;
      if (!seen[next]) {
        struct entry *more = malloc(sizeof *more);
        seen[next] = 1;
        more->place = (int)next;
        more->next = list;
        list = more;
      }
    }
  }
  free(seen);
  return visits;
}

TWICE({
  for (int at = 0; at < 1000; ++at)
    ((unsigned *)data)[at] = (unsigned)(at * 8 * number(2) + 7);
  sink = reached((unsigned *)data, number(1));
})
