// What addresses decide.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=gnu11 -O2

#include "../Inputs/twice.h"
#include <stdint.h>
#include <stdio.h>

// A size computed from an address. How much of a block is lost to its alignment is known when the block is, and no
// earlier.
// HELD slack n=100 --bounds 0..912
// HELD slack n=1000 --bounds 0..4512
static float *aligned(char *block) { return (float *)(block + ((256 - ((uintptr_t)block & 255)) & 255)); }

MEMSHAPE_OPERATOR
float slack(const float *in, int n) {
  char *block = malloc(n * sizeof(float) + 256);
  float *copy = aligned(block);
  memcpy(copy, in, n * sizeof(float));
  char *rest = malloc((char *)copy - block + 1);
  memcpy(rest, block, (char *)copy - block + 1);
  float result = copy[n / 2] + rest[n % 7 * ((char *)copy - block) / 7];
  free(rest);
  free(block);
  return result;
}

// One tensor as input and output. Whether two tensors are one decides about a buffer: no shape tells.
// HELD reversed n=100 --bounds 0..400
// HELD reversed n=7 --bounds 0..28
MEMSHAPE_OPERATOR
float reversed(const float *in, float *out, int n) {
  float *copy = NULL;
  if (in == out) {
    copy = malloc(n * sizeof *copy);
    for (int i = 0; i < n; ++i)
      copy[i] = in[i];
  }
  for (int i = 0; i < n; ++i)
    out[i] = (copy ? copy : in)[n - 1 - i];
  free(copy);
  return out[0];
}

TWICE_OF(reversed, sink = reversed(data, data, number(1)))

// What realloc copies. For LLVM the new block aliases nothing, but data that was written to the old one is read there.
// HELD moved n=50 --bounds 4001..5024
static void *volatile kept;

MEMSHAPE_OPERATOR
int moved(const int *in, int n) {
  int *all = malloc(400);
  kept = all;
  for (int i = 0; i < n; ++i)
    all[i] = in[i];
  all = realloc(all, 4000);
  kept = all;
  char *work = malloc((all[n / 2] & 1023) + 1);
  kept = work;
  work[0] = (char)in[0];
  int result = work[0];
  free(work);
  free(all);
  return result;
}

// How far two labels are apart. The code between them is not the skeleton's, which has no labels.
// HELD labels n=50 --bounds 32..284
static __attribute__((noinline)) unsigned between(int n, float *out) {
  void *volatile here = &&one, *volatile there = &&two;
  const uintptr_t apart = (uintptr_t)there - (uintptr_t)here;
  if (n < 0)
    goto *here;
one:
  out[0] += 1;
two:
  out[1] += 1;
  return apart & 63;
}

MEMSHAPE_OPERATOR
float labels(const float *in, int n, float *out) {
  unsigned size = 8;
  if (n > 28)
    size += between(n, out);
  float *work = malloc(sizeof(float) * size);
  work[n & 7] = in[0];
  float result = work[0];
  free(work);
  return result;
}

// A value that the compiler leaves open. Without optimisation it is what some register holds.
// HELD -O0 any n=100 --bounds 4..128
MEMSHAPE_OPERATOR
float any(const float *in, int n) {
  float *work = malloc(sizeof(float) * (((unsigned)__builtin_nondeterministic_value(n) & 31) + 1));
  work[0] = in[0];
  float result = work[0];
  free(work);
  return result;
}

// A global variable that the program sets. Its value at the call is not the one that it started with.
// HELD blocks n=100 n=7 --bounds 0..none --because unbounded_size
static int block = 64;

void setBlock(int bytes) { block = bytes; }

MEMSHAPE_OPERATOR
int blocks(const float *in, int n) {
  char *all = malloc((size_t)block * n);
  all[0] = in[0] > 0;
  int other = all[n];
  free(all);
  return other;
}

TWICE_OF(blocks, sink = (setBlock(128), blocks(data, number(1))))

// Of two texts one ends as the other does: the linker may keep it inside of that.
// HELD texts n=100 --bounds 100..200
MEMSHAPE_OPERATOR
float texts(const float *in, int n) {
  const char *all = "a line of text", *end = "line of text";
  char *work = malloc(all + 2 == end ? n : 2 * n);
  work[0] = in[0] > 0;
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}

// Functions for the end of the program. The C library keeps them in blocks of 32, whoever registers them: the operator
// may come to the end of one.
// HELD registered n=100 --bounds 100..1140
static void ends(void) { puts("the end"); }

MEMSHAPE_OPERATOR
float registered(const float *in, int n) {
  char *work = malloc(n);
  atexit(ends);
  work[0] = in[0] > 0;
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}

// What the compiler knows of an object. Without optimisation it does not know which of two objects is asked for, and says
// so: -1. The skeleton is optimised, and must say what the program does.
// HELD -O0 room n=100
// HELD room n=100
MEMSHAPE_OPERATOR
float room(const float *in, int n) {
  float buffer[20], *from = n & 1 ? buffer : buffer + 3;
  from[0] = in[0];
  float *work = malloc((__builtin_object_size(from, 0) & 1023) * (unsigned)n);
  work[0] = from[0];
  work[n / 2] = __builtin_constant_p(n) ? 1.f : 2.f;
  float result = work[0] + work[n / 2];
  free(work);
  return result;
}
