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
// Where constants meet that lie in different functions, the program computes, and memshape does not do it for it:
// HELD -O0 -DSIZE=ceil(divided(3,10)*10)+n n=100 --bounds 412..416
// HELD -O0 -DSIZE=(isAbove(1e-40f)?10:20)+n n=100 --bounds 440..480
// HELD -O0 -DSIZE=(int)divided(30,10)+n n=100
// It rounds a * b + c once or twice, which may make a difference.
// HELD -O0 -DSIZE=(added(0.1,10,-1)!=0?20:10)+n n=100 --bounds 440..480
// HELD -O0 -DSIZE=(int)added(3,1.5,0.5)+n n=100
// How near an estimate comes is the processor's business:
// HELD -O2 -DSIZE=n+((int)(estimate(n)*1e7f)&63) n=100 --bounds 400..652
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
// So may one of which a pragma says that its iterations may be computed side by side.
// HELD -O2 -DSUMMED=vectorize(enable) -DSIZE=sum(n)+1 n=777 --bounds 0..none --because unbounded_size
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
#include <immintrin.h>
#include <math.h>
#include <stdint.h>

static inline float denormal(int bits) {
  float number;
  memcpy(&number, &bits, sizeof number);
  return number;
}

__attribute__((noinline)) static double divided(double a, double b) { return a / b; }
__attribute__((noinline)) static double added(double a, double b, double c) { return a * b + c; }
__attribute__((noinline)) static int isAbove(float number) { return number > 0; }

static float estimate(int n) { return _mm_cvtss_f32(_mm_rcp_ss(_mm_set_ss((float)n))); }

static long sum(int n) {
  float total = 0;
#ifdef SUMMED
#define PRAGMA(TEXT) _Pragma(#TEXT)
#define LOOP(HOW) PRAGMA(clang loop HOW)
  LOOP(SUMMED)
#endif
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
