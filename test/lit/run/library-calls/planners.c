// Plans of FFTW that are not exact.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=c11 -O2 -lfftw3 -lfftw3f

#include "../Inputs/twice.h"
#include <fftw3.h>
#include <stdbool.h>

// A planner that looks at the clock. A setting chooses between a plan by extents alone and one by measured time: the
// one is exact, the other is one run of many.
// HELD spectrum n=100 --set careful=0 -- 100 0
// RUN: %memshape predict %t --operator spectrum --shape n=100 --set careful=1 | FileCheck --check-prefix=SPECTRUM %s
// SPECTRUM: peak heap {{.*}} one run
// SPECTRUM: fftw_plan_dft_1d: without FFTW_ESTIMATE the planner chooses by the time that plans take
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

// Extents that the caller keeps beside data. Nobody knows what a plan takes whose extents are read from a tensor: on
// zeros there is none, and it is not executed.
// HELD section_of n=100 --bounds 0..none --because unbounded_size
// RUN: %memshape predict %t --operator section_of --shape n=100 | FileCheck --check-prefix=SECTION-OF %s
// SECTION-OF: peak heap {{.*}} at least, and what k says: --assume k=N
// SECTION-OF: fftwf_plan_dft: its extents lie in memory that data fills
MEMSHAPE_OPERATOR
void section_of(const float *in, const int *extents, int n, float *out) {
  fftwf_complex *section = fftwf_alloc_complex(n);
  fftwf_plan plan = fftwf_plan_dft(2, extents, section, section, FFTW_FORWARD, FFTW_ESTIMATE);
  fftwf_execute(plan);
  fftwf_destroy_plan(plan);
  out[0] = section[0][0] + in[0];
  fftwf_free(section);
}

static const int extents[2] = {8, 8};

TWICE_OF(section_of, section_of(data, extents, number(1), more))
