// Sizes that follow from where memory lies, by ways on which no pointer is seen.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The address of a variable is a constant for the compiler, and the linker's choice: which of two comes first, what
// tables hold, how far they are apart.
//
// RUN: %held -std=c11
// HELD -O2 -DKIND=1 n=100 --bounds 400..800
// HELD -O0 -DKIND=1 n=100 --bounds 400..800
// HELD -O2 -DKIND=2 n=100 --bounds 400..800
// HELD -O2 -DKIND=3 n=100 --bounds 0..407
// HELD -O2 -DKIND=4 n=100 --bounds 400..407
// HELD -O2 -DKIND=11 n=100 --bounds 0..407
// HELD -O0 -DKIND=11 n=100 --bounds 0..407
//
// A block may lie where another one was freed. The number that was made from the address of that one is still there.
//
// HELD -O2 -DKIND=5 n=100 --bounds 400..800
// HELD -O0 -DKIND=5 n=100 --bounds 400..800
// HELD -O2 -DKIND=6 n=100 --bounds 400..407
//
// The bytes of an address, as an array of characters and as a number of half its length, and by functions that compare.
//
// HELD -O2 -DKIND=7 n=100 --bounds 400..800
// HELD -O0 -DKIND=7 n=100 --bounds 400..800
// HELD -O2 -DKIND=8 n=100 --bounds 400..800
// HELD -O2 -DKIND=9 n=100 --bounds 400..800
// HELD -O2 -DKIND=12 n=100 --bounds 400..800
// HELD -O0 -DKIND=12 n=100 --bounds 400..800
//
// An address as text.
//
// HELD -O2 -DKIND=13 n=100 --bounds 400..800
// HELD -O0 -DKIND=13 n=100 --bounds 400..800
//
// Where variables of frames lie: which one comes first, whether the end of one is the begin of another, how far two
// calls of a function are apart in the code. (At -O0 nothing is known of a place that the compiler did not need.)
//
// HELD -O2 -DKIND=14 n=100 --bounds 400..800
// HELD -O0 -DKIND=14 n=100 --bounds 400..800
// HELD -O2 -DKIND=15 n=100 --bounds 400..800
// HELD -O0 -DKIND=15 n=100 --bounds 400..800
// HELD -O0 -DKIND=16 n=100 --bounds 400..463
//
// What lies beside an address is none.
//
// HELD -O2 -DKIND=10 n=100
// HELD -O0 -DKIND=10 n=100

#include "../Inputs/twice.h"
#include <stdint.h>
#include <stdio.h>

static char first[40], second[40] = {1};
static void *volatile used;

struct entry {
  char name[8];
  void *block;
  unsigned length;
};

#if KIND == 14 // as programs ask which way the stack grows
__attribute__((noinline)) static int isBelow(char *other) {
  char own;
  char *volatile place = &own;
  return place < other;
}
#elif KIND == 16
__attribute__((noinline)) static uintptr_t calledFrom(void) { return (uintptr_t)__builtin_return_address(0); }
#endif

static size_t chosen(int n) {
#if KIND == 14
  char own = (char)n;
  used = &own;
  return isBelow(&own) ? 4 * n : 8 * n;
#elif KIND == 15
  int one[4] = {n}, other[4] = {n};
  used = one;
  used = other;
  int *volatile end = one + 4, *volatile begin = other;
  return end == begin ? 4 * n : 8 * n;
#elif KIND == 16
  const uintptr_t here = calledFrom(), there = calledFrom();
  return 4 * n + (there - here & 63);
#elif KIND == 1
  return (uintptr_t)first < (uintptr_t)second ? 4 * n : 8 * n;
#elif KIND == 2
  static uintptr_t table[] = {(uintptr_t)first, (uintptr_t)second};
  return table[0] < table[1] ? 4 * n : 8 * n;
#elif KIND == 3
  const uintptr_t which = n > 50 ? (uintptr_t)first : (uintptr_t)second;
  return 4 * n + (which >> 4 & 7);
#elif KIND == 4
  intptr_t apart[2] = {(intptr_t)first - (intptr_t)second, 7};
  volatile int at = 0;
  return 4 * n + (apart[at & 1] & 7);
#elif KIND == 11
  uintptr_t *list = malloc(2 * sizeof *list);
  list[0] = (uintptr_t)first;
  list[1] = (uintptr_t)second;
  used = list;
  const size_t bits = list[n & 1] >> 4 & 7;
  free(list);
  return 4 * n + bits;
#elif KIND == 5
  void *block = malloc(n);
  const uintptr_t before = (uintptr_t)block;
  used = block;
  free(block);
  used = block = malloc(n / 2 + 1);
  const int same = before == (uintptr_t)block;
  free(block);
  return same ? 4 * n : 8 * n;
#elif KIND == 6
  uintptr_t before = 0;
  size_t found = 0;
  for (int i = 0; i < 8; ++i) {
    void *block = malloc(n + 16 * i);
    found += (uintptr_t)block == before;
    before = (uintptr_t)block;
    used = block;
    free(block);
  }
  return 4 * n + found;
#else
  struct entry entries[2] = {{"one", malloc(8), 4}, {"two", malloc(8), 8}};
  used = entries;
  size_t bytes = 4 * n;
#if KIND == 7
  if (((unsigned char *)&entries[n & 1].block)[0] & 16)
    bytes = 8 * n;
#elif KIND == 8
  uint32_t half;
  memcpy(&half, (char *)&entries[n & 1].block, sizeof half);
  bytes = half >> 5 & 1 ? 4 * n : 8 * n;
#elif KIND == 9
  bytes = memcmp(&entries[0].block, &entries[1].block, sizeof(void *)) < 0 ? 4 * n : 8 * n;
#elif KIND == 12
  if (memchr(&entries[n & 1].block, 0x50, sizeof(void *)))
    bytes = 8 * n;
#elif KIND == 13
  char text[32];
  snprintf(text, sizeof text, "%p", entries[n & 1].block);
  bytes = text[strlen(text) - 2] & 1 ? 4 * n : 8 * n;
#else
  bytes = n * (entries[n & 1].length + (entries[n & 1].name[0] == 'x') + strlen(entries[0].name) - 3);
#endif
  free(entries[0].block);
  free(entries[1].block);
  return bytes;
#endif
}

MEMSHAPE_OPERATOR
float sized(const float *in, int n) {
  char *work = malloc(chosen(n));
  used = work;
  work[0] = in[0] > 0;
  const float result = work[0];
  free(work);
  return result;
}

TWICE(sink = sized(data, number(1)))
