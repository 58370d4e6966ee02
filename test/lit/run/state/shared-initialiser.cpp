// A static that several functions need.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Libraries ask the processor for its caches once, in a static of an inline function. Whichever function of the unit
// comes first, the static has the same value. One whose initialiser looks at an argument has the value of the first call.
//
// RUN: %held -std=c++17 -O2
// HELD n=1000
// HELD -DBY_ARGUMENT n=1000 --bounds 0..none --because unbounded_size

#include "../Inputs/twice.h"
#include <cpuid.h>
#include <cstdlib>

struct Sizes {
  long block, line;
  __attribute__((noinline)) explicit Sizes(long wanted) {
    unsigned greatest = 0, b = 0, c = 0, d = 0;
    __cpuid(0, greatest, b, c, d);
    block = greatest ? wanted : 32;
    line = greatest ? 64 : 32;
  }
};

inline Sizes sizes(int n) {
#ifdef BY_ARGUMENT
  static Sizes known(n);
#else
  static Sizes known(128);
#endif
  return known;
}

MEMSHAPE_OPERATOR
float blocked(const float *in, int n) {
  char *work = static_cast<char *>(std::malloc(n / sizes(n).block * sizes(n).line));
  work[0] = static_cast<char>(in[0]);
  float result = work[n / 256];
  std::free(work);
  return result;
}

float lined(const float *in, int n) {
  char *work = static_cast<char *>(std::malloc(n * sizes(n + 1).line));
  work[0] = static_cast<char>(in[0]);
  float result = work[n / 2];
  std::free(work);
  return result;
}

TWICE(sink = blocked(data, number(1)))
