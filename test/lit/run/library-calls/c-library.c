// What the C library keeps, sorts and writes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=gnu11 -O2 -D_GNU_SOURCE

#include "../Inputs/twice.h"
#include <stdio.h>

// A hook that nobody has set yet. Libraries call a handler of errors where the program has set one. Nobody knows
// whether it has; it is expected that none is set, as the variable says where it is defined, and one that is set is taken
// to request no memory.
// HELD invert n=100 --bounds 800..800
// RUN: %predict --operator invert --shape n=100 --json | FileCheck --check-prefix=INVERT %s
// INVERT: "peak_bytes": 800,
// INVERT: "exact": false
// INVERT: "symbol": "handler"
// INVERT: "code": "requests_nothing"
typedef void Handler(const char *reason, double where);
static Handler *handler;

Handler *setHandler(Handler *next) {
  Handler *before = handler;
  handler = next;
  return before;
}

static void report(const char *reason, double where) {
  if (handler) {
    handler(reason, where);
    return;
  }
  fprintf(stderr, "%s at %g\n", reason, where);
}

MEMSHAPE_OPERATOR
double invert(const float *in, int n) {
  double *inverse = malloc(sizeof(double) * (size_t)n), sum = 0;
  for (int i = 0; i < n; ++i)
    inverse[i] = in[i] != 0 ? 1.0 / in[i] : 0;
  for (int i = 0; i < n; ++i)
    sum += inverse[n - 1 - i] * inverse[i / 2];
  if (!(sum < 1e30))
    report("singular", sum);
  free(inverse);
  return sum;
}

// Text that the C library makes and keeps. Of an error that nobody knows, the C library makes the text anew, in a block
// that it keeps until the next one. Data tells whether there is one.
// HELD described n=100 --bounds 0..none --because unbounded_size
MEMSHAPE_OPERATOR
float described(const float *in, int n) {
  char *work = malloc(n);
  work[0] = strerror((int)(in[0] * 1000))[0];
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}

// A stream that writes into blocks. A slice does not follow what a stream in memory holds. It reaches nothing outside:
// a replay executes it, to its end.
// HELD collected n=100 --bounds 0..none --because no_skeleton
// RUN: %memshape predict %t --operator collected --shape n=100 | %says --not fclose "left at return {{.*}} 0 bytes"
MEMSHAPE_OPERATOR
float collected(const float *in, int n) {
  char *text;
  size_t length;
  FILE *file = open_memstream(&text, &length);
  for (int i = 0; i < n; i++)
    fputc('a' + (in[0] > 0), file);
  fclose(file);
  float result = text[n / 2];
  free(text);
  return result;
}

// qsort merges in a block of its own. From 1024 bytes on. Elements above 32 bytes are sorted through pointers; names
// that are sorted go in any order.
// HELD median n=100 n=255 n=257 n=3
// RUN: %memshape predict %t --operator median --shape n=257 | %says "peak heap {{.*}} 14,432 bytes exact"
// How often two elements are compared depends on the data: where that allocates, nothing is said to be exact.
// RUN: %clang -std=gnu11 -O0 -D_GNU_SOURCE -DALLOCATES -fplugin=%plugin -I%include -c %s -o %t.allocates.o
// RUN: %memshape predict %t.allocates.o --operator median --shape n=100 --json | %says '"exact": false'
typedef struct {
  double at;
  float values[8];
} Event;

static int byValue(const void *one, const void *other) {
  float a = *(const float *)one, b = *(const float *)other;
#ifdef ALLOCATES
  float *both = malloc(2 * sizeof(float));
  both[0] = a;
  b += both[0] - a;
  free(both);
#endif
  return (a > b) - (a < b);
}

static int byTime(const void *one, const void *other) {
  double a = ((const Event *)one)->at, b = ((const Event *)other)->at;
  return (a > b) - (a < b);
}

static int byName(const void *one, const void *other) {
  return strcmp(*(char *const *)one, *(char *const *)other);
}

MEMSHAPE_OPERATOR
float median(const float *in, int n) {
  float *sorted = malloc(n * sizeof(float));
  memcpy(sorted, in, n * sizeof(float));
  qsort(sorted, n, sizeof(float), byValue);
  float result = sorted[n / 2];
  free(sorted);
  Event *events = calloc(n, sizeof(Event));
  for (int i = 0; i < n; ++i)
    events[i].at = in[i];
  qsort(events, n, sizeof(Event), byTime);
  result += (float)events[0].at;
  free(events);
  char *names[5], text[24];
  for (int i = 0; i < 5; ++i) {
    snprintf(text, sizeof text, "trace-%d", i * 7919 % 100);
    names[i] = strdup(text);
  }
  qsort(names, 5, sizeof names[0], byName);
  for (int i = 0; i < 5; ++i) {
    result += names[i][6];
    free(names[i]);
  }
  return result;
}

// A table of chains that data fill. Which chain a key joins, and whether it is there already, depends on data. But no
// turn makes more than one node: the bound is that of n different keys, which some data reach.
// HELD distinct n=100 --bounds 0..2112 --reached -- 100 1
// HELD distinct n=100 --bounds 0..2112 -- 100 0
// HELD distinct n=7 --bounds 0..624 --reached -- 7 3
// RUN: %memshape predict %t --operator distinct --shape n=100 --json | %says "the upper bound is counted"
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

TWICE_OF(distinct, {
  for (int at = 0; at < 1000; ++at)
    ((unsigned *)data)[at] = (unsigned)(at * number(2));
  sink = distinct((unsigned *)data, number(1));
})

// Which of two texts comes first is certain, and by how much it differs is the business of who compares: the library, or
// code that the compiler puts in its place.
// HELD ordered n=100
// HELD differing n=100 --bounds 0..none --because unbounded_size
__attribute__((noinline)) static int compared(const char *one, const char *other) { return strcmp(one, other); }

MEMSHAPE_OPERATOR
float ordered(const float *in, int n) {
  float *work = malloc(sizeof(float) * (size_t)(compared("a", "e") < 0 ? n : 2 * n));
  memcpy(work, in, sizeof(float) * (size_t)n);
  const float result = work[n / 9];
  free(work);
  return result;
}

MEMSHAPE_OPERATOR
float differing(const float *in, int n) {
  float *work = malloc(sizeof(float) * (size_t)(n + compared("e", "a")));
  memcpy(work, in, sizeof(float) * (size_t)n);
  const float result = work[n / 9];
  free(work);
  return result;
}
