// Blocks that C asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=gnu11 -O2 -D_GNU_SOURCE
// RUN: %clang -std=gnu11 -O0 -D_GNU_SOURCE -fplugin=%plugin -I%include -c %s -o %t.refused.o
// RUN: %memshape predict %t.refused.o --operator refused --shape n=100 | FileCheck --check-prefix=REFUSED %s

#include "../Inputs/twice.h"
#include <stdarg.h>
#include <stdint.h>

// posix_memalign. The block comes back through a pointer, the status as the result.
// HELD aligned n=100 n=7
MEMSHAPE_OPERATOR
int aligned(const float *in, int n) {
  void *block, *other;
  if (posix_memalign(&block, 64, n * sizeof(float)))
    return -1;
  if (posix_memalign(&other, 4096, 100)) {
    free(block);
    return -1;
  }
  ((float *)block)[0] = in[0];
  free(block);
  free(other);
  return 0;
}

// What no process has addresses for is refused, and the program knows what to do.
// REFUSED: peak heap {{.*}} 4,611,686,018,427,387,903 bytes  at most: no process has so many addresses
// REFUSED: no process has addresses for 4,611,686,018,427,387,903 bytes
MEMSHAPE_OPERATOR
float refused(const float *in, int n) {
  volatile size_t huge = SIZE_MAX / 4;
  void *all = malloc(huge);
  float *block = all ? 0 : malloc(n * sizeof *block);
  const float first = block ? block[0] = in[0] : 0;
  free(block);
  free(all);
  return first;
}

// realloc in a loop. Live bytes change by new minus old; the first call allocates.
// HELD grow n=1000 n=4 n=5
MEMSHAPE_OPERATOR
float grow(const float *in, int n) {
  size_t room = 0, used = 0;
  float *block = 0;
  for (int i = 0; i < n; ++i) {
    if (used == room) {
      room = room ? room * 3 / 2 + 1 : 4;
      block = realloc(block, room * sizeof *block);
    }
    block[used++] = in[i];
  }
  float last = used ? block[used - 1] : 0;
  free(block);
  return last;
}

// Pointers that move with their block. The distance from one block to another, added to a pointer into the one, leads
// into the other.
// HELD moved_list n=50 n=3
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

// A block that is made as small as can be. glibc frees a block that realloc is to make 0 bytes large, and returns null;
// where there was none, it makes one.
// HELD shortened n=1 n=100
// HELD -O0 shortened n=1 n=100
MEMSHAPE_OPERATOR
float shortened(const float *in, int n) {
  char *block = malloc(2), *none = realloc(NULL, n / 2), *rows = reallocarray(malloc(8), n / 2, 12);
  block[0] = in[0] > 0;
  block = realloc(block, n / 2);
  if (!block)
    block = malloc(32);
  if (!rows)
    rows = malloc(500);
  block[0] = in[1] > 0;
  float result = block[0] + rows[0];
  free(block);
  free(none);
  free(rows);
  return result;
}

// A string duplicated by the C library. How much is allocated follows from the text.
// HELD named n=100 n=3
MEMSHAPE_OPERATOR
float named(const float *in, int n) {
  float *copy = malloc(n * sizeof(float));
  char *name = strdup("the name of this buffer");
  memcpy(copy, in, n * sizeof(float));
  float result = copy[n / 2] + name[n % 4];
  free(name);
  free(copy);
  return result;
}

// Sizes summed over variable arguments. The list holds nothing but what the shape gave.
// HELD joined n=100 n=3
static __attribute__((noinline)) size_t sum(int count, ...) {
  va_list given;
  size_t total = 0;
  va_start(given, count);
  while (count--)
    total += va_arg(given, size_t);
  va_end(given);
  return total;
}

MEMSHAPE_OPERATOR
float joined(const float *in, int n) {
  size_t length = sum(3, (size_t)n, (size_t)n * 2, (size_t)7);
  float *copy = malloc(length * sizeof(float));
  memcpy(copy, in, length * sizeof(float));
  float result = copy[n] + copy[length - 1];
  free(copy);
  return result;
}

// A linked list in C. Headers and contents in many blocks, reached through links of the operator's own.
// HELD chain n=100 n=7
struct link {
  struct link *next;
  int length;
  float *values;
};

MEMSHAPE_OPERATOR
float chain(const float *in, int n) {
  struct link *head = NULL;
  for (int i = 1; i <= n; ++i) {
    struct link *added = malloc(sizeof *added);
    added->length = i;
    added->values = malloc(i * sizeof(float));
    for (int j = 0; j < i; ++j)
      added->values[j] = in[j];
    added->next = head;
    head = added;
  }
  float sum = 0;
  while (head) {
    struct link *gone = head;
    head = gone->next;
    double *copy = malloc(gone->length * sizeof *copy);
    copy[0] = gone->values[gone->length - 1];
    sum += (float)copy[gone->length / 2];
    free(copy);
    free(gone->values);
    free(gone);
  }
  return sum;
}

// Error exits in C. One exit that frees what has been allocated so far; allocation itself does not fail.
// HELD solve n=60 n=5
MEMSHAPE_OPERATOR
int solve(const float *in, int n, float *out) {
  int status = -1;
  double *matrix = NULL, *right = NULL;
  matrix = malloc((size_t)n * n * sizeof *matrix);
  if (!matrix)
    goto done;
  right = calloc(n, sizeof *right);
  if (!right)
    goto done;
  for (int i = 0; i < n; ++i)
    right[i] = matrix[i * n] = in[i];
  out[0] = (float)right[n - 1];
  status = 0;
done:
  free(right);
  free(matrix);
  return status;
}

// Functions chosen from a table by the shape. A constant table of structures of functions, entered at an index that is
// computed.
// HELD dispatch n=100 n=3
struct method {
  float *(*make)(int);
  float (*run)(float *, const float *, int);
  void (*drop)(float *);
};

static float *make_long(int n) { return calloc(2 * n, sizeof(float)); }
static float run_long(float *state, const float *in, int n) {
  float *copy = malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i)
    copy[i] = in[i] + state[2 * i];
  float result = copy[n / 2];
  free(copy);
  return result;
}
static void drop_long(float *state) { free(state); }

static float *make_short(int n) { return calloc(n, sizeof(float)); }
static float run_short(float *state, const float *in, int n) {
  for (int i = 0; i < n; ++i)
    state[i] += in[n - 1 - i];
  return state[n / 3];
}
static void drop_short(float *state) { free(state); }

static const struct method methods[] = {{make_long, run_long, drop_long}, {make_short, run_short, drop_short}};

MEMSHAPE_OPERATOR
float dispatch(const float *in, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    const struct method *chosen = &methods[i * i % 3 % 2];
    float *state = chosen->make(n + i);
    sum += chosen->run(state, in, n);
    chosen->drop(state);
  }
  return sum;
}

// A pointer into the middle of a block. Kept in memory and indexed downwards by a variable, it reaches what stands in
// front of it, sizes included.
// HELD look n=100,back=8
struct table {
  int *middle;
};

MEMSHAPE_OPERATOR
int look(const float *in, int n, int back) {
  struct table *tables = malloc(n * sizeof *tables);
  int *sizes = malloc(16 * sizeof *sizes);
  sizes[0] = 3 * n;
  for (int i = 0; i < n; ++i)
    tables[i].middle = sizes + 8;
  char *block = malloc(tables[n / 2].middle[-back]);
  block[0] = in[0] > 0;
  int other = block[n];
  free(block);
  free(sizes);
  free(tables);
  return other;
}

// Counts in a block that calloc has made: the skeleton has to find zeros there.
// HELD histogram n=100,bins=7 n=3,bins=2
MEMSHAPE_OPERATOR
float histogram(const float *in, int n, int bins) {
  int *counts = calloc(bins, sizeof *counts);
  for (int i = 0; i < n; ++i)
    ++counts[i * 5 % bins];
  float *largest = calloc(counts[1], 12);
  largest[0] = in[0];
  float first = largest[n % 3];
  free(largest);
  free(counts);
  return first;
}
