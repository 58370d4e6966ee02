// What earlier calls leave behind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A counter and the largest shape so far change what later calls find. A variable that only far shapes set, and one that
// the first shape sets, make sizes that no few trials find to change. What each call sets alike is exact, and so is what
// the first call makes that needs it, and an arena that a call of this shape has grown before.
//
// RUN: %held -std=c11 -O2 -lm
// HELD -DSIZE=counted() n=100 --bounds 0..none --because earlier_calls
// HELD -DSIZE=arena(n) n=100
// HELD -DSIZE=most(n) n=100 --bounds 0..none --because earlier_calls
// HELD -DSIZE=large(n) n=100 --bounds 0..560
// HELD -DSIZE=odd(n) n=100 --bounds 0..560
// HELD -DSIZE=first(n) n=100 --bounds 0..none --because earlier_calls
// HELD -DSIZE=frozen(n) n=100 --bounds 0..632
// HELD -DSIZE=kept(n) n=100 --bounds 0..532
// HELD -DSIZE=once(n) n=100
// HELD -DSIZE=anew(n) n=100
// HELD -DSIZE=prepared(n) n=100
// HELD -DSIZE=untested(n) n=100 --bounds 0..none --because earlier_calls
// HELD -DSIZE=measured(n) n=100 --bounds 0..none --because earlier_calls
// HELD -DSIZE=chosen(n) n=100 --bounds 0..436
// HELD -O0 -DSIZE=chosen(n) n=100 --bounds 0..none --because earlier_calls
// HELD -DSIZE=exchanged(n) n=100 --bounds 0..none --because earlier_calls
// HELD -DSIZE=passed(n) n=100 --bounds 0..none --because earlier_calls
//
// What a call leaves is all that its variables lead to, and a number near to a block may lead to it: a count in such a
// block, as in an array that begins at 1, tells the eighth call. So a variable with such a number keeps what each block
// holds.
// HELD -DSIZE=n*(added()-1) n=200 --bounds 0..3216
// HELD -DSIZE=n*(subtracted()-1) n=200 --bounds 0..3216
// HELD -DSIZE=n*(same()-1) n=200

#include "../Inputs/twice.h"
#include <stdarg.h>
#include <stdint.h>

static long calls, largest, level = 3, begun, capacity, never, last;
static char *base;
static long table[8];

static long counted(void) { return ++calls; }

static long arena(int n) {
  if (n > capacity) {
    capacity = 2L * n;
    base = realloc(base, capacity);
  }
  base[0] = 1;
  return base[0];
}

static long most(int n) { return largest = n > largest ? n : largest; }

static long large(int n) {
  if (n > 30000)
    level = 40;
  return level;
}

static long odd(int n) {
  if (n % 101 == 7)
    level = 40;
  return level;
}

static long first(int n) {
  if (!begun)
    begun = n;
  return begun;
}

// Whether it may still grow is up to another shape.
static long frozen(int n) {
  if (n == 77777)
    never = 1;
  if (n > capacity && !never) {
    capacity = 2L * n;
    base = realloc(base, capacity);
    base[0] = 1;
  }
  return 8;
}

// What is freed is the block of the shape before.
static long kept(int n) {
  free(base);
  base = malloc(n);
  base[n - 1] = 1;
  return 8;
}

static long once(int n) {
  if (!begun) {
    for (int at = 0; at < 8; ++at)
      table[at] = 3 * at + 1;
    begun = 1;
  }
  return table[n & 7];
}

// Which shape needs the table first makes no difference: whoever reads it has passed the test.
static long prepared(int n) { return n < 50 ? 8 : once(n); }

// Small shapes read it untested.
static long untested(int n) {
  if (n >= 30000)
    once(n);
  return table[n & 7] + 8;
}

// The table is filled once, and says which shape that was.
static long measured(int n) {
  if (!begun) {
    for (int at = 0; at < 8; ++at)
      table[at] = n / 100 + at;
    begun = 1;
  }
  return table[n & 7];
}

// Which function is called depends on the shape, and what it leaves with it.
static long few, many;
static void count_few(void) { few = 1; }
static void count_many(void) { many = 1; }
static void (*const counts[])(void) = {count_few, count_many};
static long chosen(int n) {
  const long found = 8 + many;
  counts[n > 500]();
  return found;
}

// The shape says whether one number takes the place of another.
static _Atomic int flag;
static long exchanged(int n) {
  const long found = 8 + flag;
  int expected = n > 500 ? 0 : 7;
  __c11_atomic_compare_exchange_strong(&flag, &expected, 1, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return found;
}

// The shape goes to a function with any number of arguments.
static long given;
static __attribute__((noinline)) void give(int count, ...) {
  va_list rest;
  va_start(rest, count);
  given = va_arg(rest, int);
  va_end(rest);
}
static long passed(int n) {
  const long found = 8 + given;
  give(1, n > 500);
  return found;
}

// Each call leaves its own shape, and reads it again.
static long anew(int n) {
  last = n;
  return last + 5;
}

static int *eighth(uintptr_t *number, uintptr_t far) {
  if (!*number)
    *number = (uintptr_t)calloc(4, sizeof(int)) + far;
  return (int *)(*number - far);
}

static long added(void) {
  static uintptr_t number;
  return ++*eighth(&number, 64) % 8 ? 1 : 4;
}

static long subtracted(void) {
  static uintptr_t number;
  return ++*eighth(&number, (uintptr_t)-4) % 8 ? 1 : 4;
}

static long same(void) {
  static uintptr_t number;
  int *size = eighth(&number, 64);
  *size = 3;
  return *size;
}

MEMSHAPE_OPERATOR
float later(const float *in, int n) {
  float *work = malloc(sizeof(float) * (n + SIZE));
  work[0] = in[0];
  work[n - 1] = 1;
  float result = work[n / 2];
  free(work);
  return result;
}
