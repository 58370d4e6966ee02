// A pool, or none.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pool full of zeros leads to a division by zero. The message says how to ask for a call without one.
//
// RUN: %clang -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: not %memshape predict %t.o --shape n=100 2>&1 | FileCheck %s
// CHECK: a division by zero
// CHECK-SAME: 'any' is taken to be there, not null, which {{.*}} asks: --set any.present=0 predicts a call without it
// RUN: %memshape predict %t.o --shape n=100 --set any.present=0 --json | FileCheck --check-prefix=NONE %s
// NONE: "peak_bytes": 100,
// NONE: "exact": true,

#include <memshape/operator.h>
#include <stdlib.h>

struct block {
  struct block *next;
  size_t bytes;
};

struct pool {
  size_t least;
  struct block *first;
};

MEMSHAPE_OPERATOR
void *get(void *any, size_t n) {
  struct pool *p = any;
  if (!p)
    return malloc(n);
  const size_t bytes = (n + p->least - 1) / p->least * p->least;
  for (struct block *found = p->first; found; found = found->next)
    if (found->bytes >= bytes)
      return found + 1;
  struct block *made = malloc(sizeof *made + bytes);
  made->bytes = bytes;
  made->next = p->first;
  p->first = made;
  return made + 1;
}
