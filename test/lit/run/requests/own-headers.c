// What a header of the program asks of addresses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It is the program's own source, as its other files are and what a generator writes behind #line: no library, which
// knows what its containers hold.
//
// RUN: %held -std=c11 -O2

#include "../Inputs/twice.h"
#include <stdint.h>

static void request(int bytes) {
  char *volatile block = malloc(bytes);
  block[0] = 1;
  free(block);
}

#line 1 "own.h"
static int is_missing(const void *which) { return which == NULL; }
static int differ(const void *one, const void *other) { return memcmp(one, other, sizeof(void *)) != 0; }
static int is_moved(char *block, uintptr_t from) { return (uintptr_t)block != from; }
#line 1 "operator.c"

// HELD missing n=100 --bounds 8..400
MEMSHAPE_OPERATOR
void missing(int n, const float *in) { request(is_missing(in) ? 4 * n : 8); }

static const float Zeros[300] = {1};
const float *zeros(void) { return Zeros; }

// HELD compared n=100 --bounds 8..400
MEMSHAPE_OPERATOR
void compared(int n, const float *in) {
  const float *places[2] = {in, Zeros};
  request(differ(&places[0], &places[1]) ? 4 * n : 8);
}

// The block that several calls of realloc leave may be where the first one was.
// HELD moved n=100,times=7 --bounds 114..506 -- 100 7
MEMSHAPE_OPERATOR
void moved(int n, int times) {
  char *block = malloc(n);
  const uintptr_t first = (uintptr_t)block;
  for (int i = 1; i < times; ++i)
    block = realloc(block, n + i);
  request(is_moved(block, first) ? 4 * n : 8);
  free(block);
}

TWICE_EACH
