// Sizes that follow from how numbers are computed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=c11 -lm
//
// The caller may have set another rounding mode: an answer is exact where all modes lead to the same memory.
// HELD -O2 -DSIZE=lrint(n/3.0) n=100 --bounds 132..136
// HELD -O2 -DSIZE=lrint(n/3.0) n=99
// HELD -O2 -DSIZE=ceil(n*0.1) n=100 --bounds 40..44
// HELD -O2 -DSIZE=ceil(n*0.25) n=101
// Of long double, the precision too:
// HELD -O2 -DSIZE=(int)(n*0.1L*10-99.5L) n=1001
// HELD -O2 -DSIZE=((n+0x1p-40L)-n>0?20:10) n=65537 --bounds 40..80
// Nothing is rounded, but denormals may be zero:
// HELD -O2 -DSIZE=(denormal(n)>0?20:10) n=65 --bounds 40..80
// HELD -O2 -DSIZE=ceilf(denormal(n))+9 n=65 --bounds 36..40
// Upwards, of what is left where denormals are zero:
// HELD -O2 -DSIZE=10+(n+(denormal(n)>0?0:0x1p-60)>n) n=65 --bounds 40..44
//
// With -ffast-math a loop may be summed up in another order than it says: what follows from the sum is not certain. A
// product by itself cannot be rearranged.
// HELD -O2 -ffast-math -DSIZE=sum(n)+1 n=777 --bounds 0..none --because unbounded_size
// HELD -O2 -DSIZE=sum(n)+1 n=777
// HELD -O2 -ffast-math -DSIZE=(long)(n*0.5f)+1 n=777
//
// The sign of 0.0 / 0.0 is set where x86 computes it, and is not where LLVM does, as it has in the program at -O2. Bits of
// numbers that cannot be NaN are what the shape makes them.
// HELD -O0 -DSIZE=n*(signbit(nothing(n))?5:1) n=100 --bounds 400..2000
// HELD -O0 -DSIZE=n*(bits(nothing(n))?5:1) n=100 --bounds 400..2000
// HELD -O2 -DSIZE=n*(signbit(nothing(n))?5:1) n=100
// HELD -O0 -DSIZE=n*(bits((float)-n)?5:1) n=100
//
// Nobody reads what a statement of assembly does: its results, and the memory that it is given, are data. One that does
// nothing hands on what it is given; a time stamp is chance.
// HELD -O2 -DSIZE=n+reads(in) n=100 --bounds 400..652
// HELD -O2 -DSIZE=n+kept(n) n=100
// HELD -O2 -DSIZE=n+stamp() n=100 --bounds 400..652

#include "../Inputs/twice.h"
#include <math.h>
#include <stdint.h>

static inline float denormal(int bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

static long sum(int n) {
  float total = 0;
  for (int at = 0; at < n; ++at)
    total += (at % 8) * 0.25f;
  return (long)total;
}

static inline int bits(float number) {
  uint32_t all;
  memcpy(&all, &number, sizeof all);
  return all >> 31;
}

static inline float nothing(int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += (float)(i - i);
  return sum / sum;
}

static int reads(const float *in) {
  int bits;
  __asm__("movl (%1), %0" : "=r"(bits) : "r"(in) : "memory");
  return bits >> 20 & 63;
}

static int kept(int n) {
  __asm__ volatile("" : "+r"(n) : : "memory");
  return n;
}

static int stamp(void) { return (int)(__builtin_readcyclecounter() & 63); }

MEMSHAPE_OPERATOR
float computed(const float *in, int n) {
  float *work = malloc(sizeof(float) * (long)(SIZE));
  work[0] = in[0];
  float result = work[n / 8];
  free(work);
  return result;
}
