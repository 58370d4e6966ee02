// Extents that the caller keeps beside data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody knows what a plan takes whose extents are read from a tensor: on zeros there is none, and it is not executed.
//
// RUN: %clang -std=c11 -O2 %operator -lfftw3f
// RUN: %compare %t --shape n=100 --bounds 0..none --because unbounded_size -- 100
// RUN: %memshape predict %t --shape n=100 | FileCheck %s
//
// CHECK: peak heap {{.*}} one run, and what k says: --assume k=N
// CHECK: fftwf_plan_dft: its extents lie in memory that data fills

#include "../Inputs/twice.h"
#include <fftw3.h>

MEMSHAPE_OPERATOR
void spectrum(const float *in, const int *extents, int n, float *out) {
  fftwf_complex *section = fftwf_alloc_complex(n);
  fftwf_plan plan = fftwf_plan_dft(2, extents, section, section, FFTW_FORWARD, FFTW_ESTIMATE);
  fftwf_execute(plan);
  fftwf_destroy_plan(plan);
  out[0] = section[0][0] + in[0];
  fftwf_free(section);
}

static const int extents[2] = {8, 8};
TWICE(spectrum(data, extents, number(1), more))
