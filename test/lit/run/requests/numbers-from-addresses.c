// Sizes that follow from where things lie.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a block, a tensor, a frame, a variable or a function lies is chance: a number made from it is a decision.
//
// RUN: %held -std=c11 -lm
// HELD -O2 -DNUMBER=BLOCK n=100 --bounds 0..163
// HELD -O2 -DNUMBER=TENSOR n=100 --bounds 0..163
// HELD -O2 -DNUMBER=FRAME n=100 --bounds 100..163
// HELD -O2 -DNUMBER=VARIABLE n=100 --bounds 0..163
// HELD -O2 -DNUMBER=CODE n=100 --bounds 0..163
// HELD -O2 -DNUMBER=BESIDE n=100 --bounds 100..107
// HELD -O2 -DNUMBER=BEHIND n=100 --bounds 100..107
// HELD -O2 -DNUMBER=LABEL n=100 --bounds 100..163
// HELD -O0 -DNUMBER=ROUNDED n=100 --bounds 0..163
// HELD -O2 -DNUMBER=ROUNDED n=100 --bounds 0..163
// HELD -O0 -DNUMBER=FLIPPED n=100 --bounds 0..163
// HELD -O2 -DNUMBER=FLIPPED n=100 --bounds 0..163
//
// Whether realloc has moved a block is chance, too, where it may also have freed it.
// HELD -O0 -DNUMBER=MOVED n=100 --bounds 106..144
// HELD -O2 -DNUMBER=MOVED n=100 --bounds 106..144
//
// The first element of a block that is aligned is at its begin, or where its offset says.
// HELD -O2 -DNUMBER=ALIGNED n=100

#include "../Inputs/twice.h"
#include <stdint.h>

static float own[8];

static uintptr_t ofBlock(const float *in) {
  float *block = malloc(100);
  block[0] = in[0];
  uintptr_t number = (uintptr_t)block >> 4;
  free(block);
  return number;
}

static uintptr_t ofTwo(const float *in, int behind) {
  char *one = malloc(40), *other = malloc(40);
  one[0] = other[0] = (char)in[0];
  uintptr_t number = behind ? (uintptr_t)one + 48 == (uintptr_t)other : (uintptr_t)other - (uintptr_t)one < 4096;
  free(one);
  free(other);
  return number * 7;
}

static uintptr_t ofAligned(const float *in, int n) {
  float *block = malloc(sizeof(float) * (n + 4));
  block[n] = in[0];
  uintptr_t number = (4 - ((uintptr_t)(block + n) / sizeof(float))) & 3;
  free(block);
  return number;
}

static uintptr_t ofMoved(const float *in, int n) {
  char *old = malloc(40);
  old[0] = in[0] > 0;
  const uintptr_t before = (uintptr_t)old;
  char *moved = realloc(old, n);
  const uintptr_t number = before == (uintptr_t)moved ? 44 : 6;
  sink = moved[0];
  free(moved);
  return number;
}

static uintptr_t ofLabel(void) {
  void *volatile here = &&one;
  goto one;
one:
  return (uintptr_t)here >> 2;
}

#define BLOCK ofBlock(in)
#define BESIDE ofTwo(in, 0)
#define BEHIND ofTwo(in, 1)
#define MOVED ofMoved(in, n)
#define ALIGNED ofAligned(in, n + 1)
#define ROUNDED (((((uintptr_t)in + 63) & ~(uintptr_t)63) - (uintptr_t)in) * 5)
#define FLIPPED ((((uintptr_t)in ^ 32) - (uintptr_t)in) >> 1)
#define TENSOR ((uintptr_t)in >> 6)
#define FRAME ((uintptr_t)__builtin_frame_address(0) >> 5)
#define VARIABLE ((uintptr_t)own >> 6)
#define CODE ((uintptr_t)&ofBlock >> 4)
#define LABEL ofLabel()

MEMSHAPE_OPERATOR
float numbers(const float *in, int n) {
  own[n & 7] = in[1];
  unsigned char *work = malloc(n + (NUMBER & 63));
  work[0] = in[0] > 0;
  work[n - 1] = 1;
  float result = work[n / 2] + own[3];
  free(work);
  return result;
}
