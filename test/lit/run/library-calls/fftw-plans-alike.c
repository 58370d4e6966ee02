// Plans that are printed alike.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Executing a transform in place takes a buffer. Of the plans for one length one is executed, and stands for the
// others; another length has another plan.
//
// RUN: %clang -std=c11 -O2 %operator -lfftw3
// RUN: %compare %t --shape plans=5,n=1500 -- 5 1500
// RUN: %compare %t --shape plans=3,n=1001 -- 3 1001
// RUN: %compare %t --shape plans=4,n=32 -- 4 32

#include "../Inputs/twice.h"
#include <fftw3.h>

MEMSHAPE_OPERATOR
void spectra(double *in, int plans, int n, double *out) {
  for (int p = 0; p < plans; ++p) {
    int length = p % 2 ? n : n / 2;
    fftw_complex *line = fftw_malloc(length * sizeof(fftw_complex));
    fftw_plan plan = fftw_plan_dft_1d(length, line, line, FFTW_FORWARD, FFTW_ESTIMATE);
    for (int i = 0; i < length; ++i)
      line[i][0] = in[i % 100], line[i][1] = 0;
    fftw_execute(plan);
    fftw_execute(plan);
    out[p % 10] = line[1][0];
    fftw_destroy_plan(plan);
    fftw_free(line);
  }
}

TWICE(spectra((double *)data, number(1), number(2), (double *)more))
