// A call that is left out.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A prediction has no data: a library that divides by it, or gives up on it, ends the attempt. The call is then left
// out, the answer says which one, and what the operator allocates around it is still counted.
//
// RUN: %clang -std=c11 -O1 -shared -fPIC %inputs/closed-library.c -o %t.library.so
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-summaries=%inputs/closed-library.json \
// RUN:   -I%include -c %s -o %t.o
// RUN: %clang %t.o %t.library.so -o %t
// RUN: %compare %t --shape n=1000 --bounds 0..none --because left_out -- 1000
// RUN: %memshape predict %t --shape n=1000 | FileCheck %s
// CHECK: peak heap {{.*}} 12,000 bytes one run; no bound above
// CHECK: called for real, as installed on this machine: closed_trend{{$}}
// CHECK: not executed, so their memory is not counted: closed_invert (which fails on zeros)

#include "../Inputs/twice.h"
#include <string.h>

void closed_trend(float *data, int n);
int closed_invert(float *data, int n);

MEMSHAPE_OPERATOR
void deconvolve(const float *in, int n, float *out) {
  float *copy = (float *)malloc((size_t)n * sizeof(float));
  memcpy(copy, in, (size_t)n * sizeof(float));
  closed_trend(copy, n);
  int status = closed_invert(copy, n);
  float *wide = (float *)malloc((size_t)n * sizeof(double));
  wide[0] = copy[0] + (float)status;
  closed_trend(wide, n);
  out[0] = wide[0];
  free(wide);
  free(copy);
}

TWICE(deconvolve(data, (int)number(1), more))
