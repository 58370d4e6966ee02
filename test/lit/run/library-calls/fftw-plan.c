// An FFTW plan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The planner is called for real, and what it allocates is counted.
//
// RUN: %clang -std=c11 -O2 %operator -lfftw3f
// RUN: %compare %t --shape n=1000 -- 1000
// RUN: %compare %t --shape n=64 -- 64

#include "../Inputs/twice.h"
#include <fftw3.h>

MEMSHAPE_OPERATOR
void spectrum(float *in, int n, float *out) {
  fftwf_complex *bins = (fftwf_complex *)fftwf_malloc((n / 2 + 1) * sizeof(fftwf_complex));
  fftwf_plan plan = fftwf_plan_dft_r2c_1d(n, in, bins, FFTW_ESTIMATE);
  fftwf_execute(plan);
  out[0] = bins[1][0];
  fftwf_destroy_plan(plan);
  fftwf_free(bins);
}

TWICE(spectrum(data, number(1), more))
