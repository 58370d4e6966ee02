// Picks in a spectrum that a library computes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transform is executed on nothing, so what it writes is data however real the call is.
//
// RUN: %clang -std=c11 -O2 %operator -lfftw3f
// RUN: %compare %t --shape n=64 --bounds some..none --because search_cut -- 64
// RUN: %compare %t --shape n=100 --bounds some..none --because search_cut -- 100

#include "../Inputs/twice.h"
#include <fftw3.h>
#include <string.h>

MEMSHAPE_OPERATOR
float picks(const float *in, int n) {
  float *trace = (float *)fftwf_malloc(n * sizeof(float));
  fftwf_complex *bins = (fftwf_complex *)fftwf_malloc((n / 2 + 1) * sizeof(fftwf_complex));
  fftwf_plan plan = fftwf_plan_dft_r2c_1d(n, trace, bins, FFTW_ESTIMATE);
  memcpy(trace, in, n * sizeof(float));
  fftwf_execute(plan);
  fftwf_destroy_plan(plan);
  int count = 1;
  for (int i = 0; i <= n / 2; ++i)
    count += bins[i][0] > 0.5f;
  float *found = (float *)malloc(count * n * sizeof(float));
  memcpy(found, in, count * n * sizeof(float));
  float result = found[(count - 1) * n + n / 2];
  free(found);
  fftwf_free(bins);
  fftwf_free(trace);
  return result;
}

TWICE(sink = picks(data, number(1)))
