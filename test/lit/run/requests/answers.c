// What is asked of the answer alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -std=gnu11 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %clang -std=gnu11 -O0 -fplugin=%plugin -I%include -c %s -o %t.0.o

#include <memshape/operator.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Functions that the caller passes, or that anybody may set. One that gives back no pointer is taken to request no
// memory, and named by the parameter. Where it is not called the answer is exact.
// RUN: %predict --operator applied --shape n=100 --json | FileCheck %s --check-prefix=APPLIED
// RUN: %predict --operator unused --shape n=100 --json | %says '"peak_bytes": 400,' '"exact": true,'
// RUN: %memshape predict %t.0.o --operator applied --shape n=100 --json | FileCheck %s --check-prefix=APPLIED
// RUN: %memshape predict %t.0.o --operator unused --shape n=100 --json | %says '"peak_bytes": 400,' '"exact": true,'
// APPLIED: "peak_bytes": 400,
// APPLIED: "upper_bytes": 400,
// APPLIED-NEXT: "exact": false,
// APPLIED: "decisions": [],
// APPLIED: "symbol": "f",
// APPLIED-NEXT: "treatment": "dropped",
// APPLIED-NEXT: "note": "a function that the caller passes: what it allocates is not counted"
//
// Nothing comes of what a settable function is told: it is left out, by the name of its variable.
// RUN: %predict --operator logged --shape n=100 --json | FileCheck %s --check-prefix=LOGGED
// RUN: %memshape predict %t.0.o --operator logged --shape n=100 --json | FileCheck %s --check-prefix=LOGGED
// LOGGED: "peak_bytes": 400,
// LOGGED-NEXT: "lower_bytes": 400,
// LOGGED-NEXT: "upper_bytes": 400,
// LOGGED-NEXT: "exact": false,
// LOGGED: "symbol": "listener",
// LOGGED-NEXT: "treatment": "dropped",
// LOGGED: "code": "anybodys_function"
MEMSHAPE_OPERATOR
void applied(int n, float (*f)(float), float *y) {
  float *Copy = malloc((size_t)n * sizeof(float));
  for (int I = 0; I < n; ++I)
    Copy[I] = f(y[I]);
  for (int I = 0; I < n; ++I)
    y[I] = Copy[n - 1 - I];
  free(Copy);
}

MEMSHAPE_OPERATOR
void unused(int n, float (*f)(float), float *y) {
  float *Copy = malloc((size_t)n * sizeof(float));
  for (int I = 0; I < n; ++I)
    Copy[I] = 2 * y[I];
  for (int I = 0; I < n; ++I)
    y[I] = Copy[n - 1 - I];
  free(Copy);
  (void)f;
}

static void silent(const char *text) { (void)text; }
static void (*listener)(const char *) = silent;
void setListener(void (*f)(const char *)) { listener = f; }

MEMSHAPE_OPERATOR
void logged(int n, float *y) {
  float *Copy = malloc((size_t)n * sizeof(float));
  for (int I = 0; I < n; ++I)
    Copy[I] = 2 * y[I];
  listener("halfway");
  for (int I = 0; I < n; ++I)
    y[I] = Copy[n - 1 - I];
  free(Copy);
}

// What a prediction never does. Files, processes and sockets are not touched: the answer names the calls and is not
// exact.
// RUN: %predict --operator process --shape n=100 --json | FileCheck %s --check-prefix=PROCESS
// PROCESS: "exact": false
// PROCESS: "symbol": "popen"
// PROCESS: "treatment": "dropped"
// PROCESS: "note": "reaches out of the process, which a prediction never does"
// PROCESS: "code": "reaches_out"
// PROCESS: "symbol": "system"
// PROCESS: "note": "reaches out of the process, which a prediction never does"
MEMSHAPE_OPERATOR
void process(float *in, int n) {
  FILE *log = popen("touch forbidden-calls.log", "w");
  float *room = (float *)malloc((size_t)n * sizeof(float));
  in[0] = (float)system("touch forbidden-calls.made") + (float)(log != 0);
  in[1] = room[0];
  free(room);
}

// An operator that frees a block of its caller. Nobody but the caller knows how large the block is. It counts as none,
// so that what is counted bounds the peak, and what lives before the block goes is reached.
// RUN: %predict --operator doubled --shape n=100 --json | FileCheck %s --check-prefix=DOUBLED
// DOUBLED: "lower_bytes": 400,
// DOUBLED: "upper_bytes": 1200,
// DOUBLED: "exact": false,
// DOUBLED: the operator frees or reallocates memory of its caller, 'in': how many bytes that has is not known
// RUN: %predict --operator widened --shape in.n=100,more=50 --json | FileCheck --check-prefix=WIDENED %s
// WIDENED: "peak_bytes": 1400,
// WIDENED: "lower_bytes": 200,
// WIDENED: "upper_bytes": 1400,
// WIDENED: "exact": false,
// WIDENED: the operator frees or reallocates memory of its caller, 'in.data'
MEMSHAPE_OPERATOR
float *doubled(float *in, int n) {
  float *out = malloc(sizeof(float) * (size_t)n);
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  free(in);
  float *twice = malloc(2 * sizeof(float) * (size_t)n);
  for (int i = 0; i < n; ++i)
    twice[i] = twice[n + i] = out[i];
  free(out);
  return twice;
}

struct samples {
  int n;
  double *data;
};

MEMSHAPE_OPERATOR
struct samples widened(struct samples in, int more) {
  float *window = malloc(sizeof(float) * (size_t)more);
  for (int i = 0; i < more; ++i)
    window[i] = (float)in.data[i];
  in.data = realloc(in.data, sizeof(double) * (size_t)(in.n + more));
  for (int i = 0; i < more; ++i)
    in.data[in.n + i] = window[i];
  free(window);
  in.n += more;
  return in;
}

// What lies behind a pointer says nothing of the pointer itself: a block of the list may be found, or none.
// RUN: %predict --operator spare --shape n=100 --set list.present=1 --json | %says '"lower_bytes": 0,' '"upper_bytes": 400,'
// RUN: %predict --operator spare --shape n=100 --set list.present=0 | %says "peak heap {{.*}} 4 bytes exact"
struct cell {
  struct cell *next;
  int size;
};

MEMSHAPE_OPERATOR
void *spare(void *list, int n) {
  if (!list)
    return malloc(4);
  for (struct cell *each = *(struct cell **)list; each; each = each->next)
    if (each->size > n)
      return each + 1;
  return malloc(n * sizeof(float));
}

// A pool, or none. A pool full of zeros leads to a division by zero: the answer is for a call without one, and says so.
// RUN: %predict --operator get --shape n=100 | FileCheck %s --check-prefix=POOL
// POOL: get at n=100; any.present=0
// POOL: peak heap {{.*}} 100 bytes at most: without the pool below
// POOL: - 'any' is taken to be null, as no call with one is understood: --set any.present=1 says why
// RUN: %predict --operator get --shape n=100 --json | %says '"upper_bytes": 100,' '"exact": false,' '"code": "null_pool"'
// RUN: not %predict --operator get --shape n=100 --set any.present=1 2>&1 | %says "a division by zero"
// RUN: %predict --operator get --shape n=100 --set any.present=0 --json | %says '"peak_bytes": 100,' '"exact": true,'
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

// Blocks that are freed, and that a later call remembers. A new block may lie where the old one was, or elsewhere.
// RUN: %memshape predict %t.0.o --operator remembered --shape n=10 --json | %says '"exact": false'
MEMSHAPE_OPERATOR
void remembered(const char *in, int n) {
  static char *last;
  char *block = malloc(n), *more = malloc(block == last ? 8 * n : n);
  *block = *more = *in;
  last = block;
  free(more);
  free(block);
}

// What a library leaves behind is not followed. A prediction reads no line. What hangs on its text has no bound above. A
// stream is no structure of the operator's.
// RUN: %predict --operator line_of --shape n=100 | FileCheck %s --check-prefix=LINE
// LINE-NOT: exact
// LINE: peak heap {{.*}} at least, without what 'getline' requests
MEMSHAPE_OPERATOR
char *line_of(FILE *from, int n) {
  char *line = NULL;
  size_t capacity = 0;
  if (getline(&line, &capacity, from) < 0)
    return calloc(n, 1);
  char *kept = malloc(strlen(line) + n);
  strcpy(kept, line);
  free(line);
  return kept;
}

// A function that a resolver chooses. Nobody but the resolver knows which one it takes, and they allocate differently:
// no answer is given for what is behind it.
// RUN: not %predict --operator resolved --shape n=100 2>&1 | %says "'workspace'"
static void *small(int n) { return malloc(n); }
static void *large(int n) { return malloc(8 * (size_t)n); }
static void *(*choose(void))(int) { return __builtin_cpu_supports("avx2") ? large : small; }
void *workspace(int n) __attribute__((ifunc("choose")));

MEMSHAPE_OPERATOR
float resolved(const float *in, int n) {
  float *copy = workspace(n);
  copy[0] = in[0];
  float result = copy[n / 100];
  free(copy);
  return result;
}
