// A planner that looks at the clock.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A setting chooses between a plan by extents alone and one by measured time: the one is exact, the other is one run of
// many.
//
// RUN: %clang -std=c11 -O2 %operator -lfftw3
// RUN: %compare %t --shape n=100 --set careful=0 -- 100 0
// RUN: %memshape predict %t --shape n=100 --set careful=1 | FileCheck %s
//
// CHECK: peak heap {{.*}} one run
// CHECK: fftw_plan_dft_1d: without FFTW_ESTIMATE the planner chooses by the time that plans take

#include "../Inputs/twice.h"
#include <fftw3.h>
#include <stdbool.h>

MEMSHAPE_OPERATOR
void spectrum(const float *in, int n, bool careful, float *out) {
  fftw_complex *line = fftw_alloc_complex(n);
  fftw_plan plan = fftw_plan_dft_1d(n, line, line, FFTW_FORWARD, careful ? FFTW_MEASURE : FFTW_ESTIMATE);
  for (int i = 0; i < n; ++i)
    line[i][0] = in[i % 1000], line[i][1] = 0;
  fftw_execute(plan);
  out[0] = (float)line[0][0];
  fftw_destroy_plan(plan);
  fftw_free(line);
}

TWICE(spectrum(data, number(1), number(2), more))
