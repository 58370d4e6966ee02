// Functions for several numbers at a time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A library of vectorised functions rounds otherwise than the one that a skeleton calls: what comes from either is data
// where the compiler may choose.
//
// RUN: %clang -std=c11 -O2 -fno-math-errno -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | %says "peak heap {{.*}} exact"
// RUN: %clang -std=c11 -O2 -fno-math-errno -fveclib=libmvec -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | FileCheck %s --check-prefix=VECTORS
// VECTORS: peak heap
// VECTORS-NOT: exact
// VECTORS: left at return

#include <math.h>
#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
float widths(const float *in, int n) {
  double width[64];
  for (int i = 0; i < 64; ++i)
    width[i] = exp((i + n % 7) * 0.0625);
  float *work = malloc(sizeof(float) * ((long)(n * width[n & 63]) + 1));
  work[0] = in[0];
  float result = work[n / 8];
  free(work);
  return result;
}
