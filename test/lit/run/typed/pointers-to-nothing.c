// Members that lead nowhere.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function that sets a structure up is given one whose pointers nobody has set, and what one once led to may be gone.
// A run reads what may be read, and leaves the rest unknown.
//
// RUN: %clang -O0 -fplugin=%plugin -fplugin-arg-memshape-operator=* %s -o %t && %t
// RUN: %memshape run --json %t.json -- %t
// RUN: %python -c "import json; [print(c['operator'], *c['shape'].values()) for c in json.load(open('%t.json'))['calls']]" | FileCheck %s
// RUN: %clang -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=* %s -o %t && %t
// RUN: %memshape run --json %t.json -- %t
// RUN: %python -c "import json; [print(c['operator'], *c['shape'].values()) \
// RUN:   for c in json.load(open('%t.json'))['calls']]" | FileCheck %s --check-prefix=FAST

#include <stdlib.h>
#include <string.h>

struct deep {
  int depth;
};
struct inner {
  int count;
  struct deep *next;
};
struct outer {
  int rows;
  struct inner *in;
  double *data;
};

// CHECK: set_up 1515870810 None None None None 10
// FAST: set_up None None None None None 10
__attribute__((noinline)) int set_up(struct outer *o, int n) {
  o->data = malloc(8 * n);
  o->in = calloc(1, sizeof *o->in);
  return n;
}

// CHECK: use 1515870810 None 5 None None 3
// FAST: use 1515870810 None 5 None None 3
__attribute__((noinline)) int use(struct outer *o, int n) {
  char *volatile p = malloc(n + o->in->count);
  free(p);
  return 0;
}

int main(void) {
  struct outer o;
  memset(&o, 0x5a, sizeof o);
  set_up(&o, 10);
  o.in->count = 5;
  o.in->next = (void *)1;
  return use(&o, 3);
}
