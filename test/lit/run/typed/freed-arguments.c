// Arguments that the operator frees.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A structure that the operator, or a function that it calls, frees or reallocates is a block, and so is what each
// element of an array leads to.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=* -I%include -c %s -o %t.o
// RUN: %predict --operator row_free --shape r.n=10 | %says "peak heap {{.*}} 0 bytes at most" "argument r {{.*}} 16 bytes"
// RUN: %predict --operator row_drop --shape r.n=10 | %says "peak heap {{.*}} 0 bytes at most" "argument r {{.*}} 16 bytes"
// RUN: %predict --operator rows_free --shape t.used=10,t.rows.count=10 | %says "peak heap {{.*}} 0 bytes at most"
// RUN: %predict --operator table_free --shape t.used=10,t.rows.count=10,t.rows.cells.count=5 | FileCheck %s
// RUN: %predict --operator table_copy --shape t.used=10,t.rows.count=10,t.rows.cells.count=5,bytes=180 | %says "peak heap {{.*}} 180 bytes exact"
// RUN: %predict --operator names_more --shape n.used=10,more=90 | %says "peak heap {{.*}} 90 bytes exact"
// CHECK: peak heap {{.*}} 0 bytes exact
// CHECK: argument t {{.*}} 376 bytes

#include <stdlib.h>
#include <string.h>

struct row {
  int n;
  float *values;
};
void row_free(struct row *r) {
  if (!r)
    return;
  free(r->values);
  free(r);
}

void row_drop(struct row **r) {
  row_free(*r);
  *r = NULL;
}

struct list {
  int used;
  struct row *rows;
};
static void rows_of(struct list *t) {
  for (int i = 0; i < t->used; ++i)
    free(t->rows[i].values);
  free(t->rows);
}
static void give_back(void *block) { free(block); }
void rows_free(struct list *t) {
  rows_of(t);
  give_back(t);
}

struct cell {
  float of;
};
struct cells {
  int n;
  struct cell *cells;
};
struct table {
  int used;
  struct cells *rows;
};
void table_free(struct table *t) {
  for (int i = 0; i < t->used; ++i)
    free(t->rows[i].cells);
  free(t->rows);
  free(t);
}

// Each row is freed when its copy is there.
float table_copy(struct table *t, int bytes) {
  float last = 0;
  for (int i = 0; i < t->used; ++i) {
    float *copy = malloc((size_t)bytes);
    memset(copy, i, (size_t)bytes);
    free(t->rows[i].cells);
    last += copy[i];
    free(copy);
  }
  return last;
}

struct names {
  int used;
  const char *at;
};
struct names *names_more(struct names *n, int more) {
  n = realloc(n, sizeof *n + (size_t)more);
  n->used += n->at[0];
  return n;
}
