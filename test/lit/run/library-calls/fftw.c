// Plans of FFTW.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=c11 -O2 -lfftw3 -lfftw3f -lfftw3l

#include "../Inputs/twice.h"
#include <fftw3.h>

// An FFTW plan. The planner is called for real, and what it allocates is counted.
// HELD spectrum n=1000 n=64
MEMSHAPE_OPERATOR
void spectrum(float *in, int n, float *out) {
  fftwf_complex *bins = (fftwf_complex *)fftwf_malloc((n / 2 + 1) * sizeof(fftwf_complex));
  fftwf_plan plan = fftwf_plan_dft_r2c_1d(n, in, bins, FFTW_ESTIMATE);
  fftwf_execute(plan);
  out[0] = bins[1][0];
  fftwf_destroy_plan(plan);
  fftwf_free(bins);
}

// Plans that are printed alike. Executing a transform in place takes a buffer. Of the plans for one length one is
// executed, and stands for the others; another length has another plan.
// HELD spectra plans=5,n=1500 plans=3,n=1001 plans=4,n=32
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

// Plans of all interfaces of a library. Arrays of extents, of strides and of kinds, guru dimensions, in double and long
// double, one after the other on the same arrays.
// HELD kinds ni=4,nx=5,nt=6 ni=10,nx=12,nt=37
MEMSHAPE_OPERATOR
void kinds(const float *in, int ni, int nx, int nt, float *out) {
  size_t all = (size_t)ni * nx * nt;
  double *cube = fftw_alloc_real(all);
  fftw_complex *spectrum = fftw_alloc_complex((size_t)ni * nx * (nt / 2 + 1));
  int extents[3] = {ni, nx, nt}, halved[3] = {ni, nx, nt / 2 + 1};
  fftw_plan there = fftw_plan_many_dft_r2c(3, extents, 1, cube, extents, 1, 0, spectrum, halved, 1, 0, FFTW_ESTIMATE);
  fftw_plan back = fftw_plan_many_dft_c2r(3, extents, 1, spectrum, halved, 1, 0, cube, extents, 1, 0, FFTW_ESTIMATE);
  fftw_r2r_kind cosines[3] = {FFTW_REDFT10, FFTW_REDFT10, FFTW_REDFT10};
  fftw_plan cosine = fftw_plan_r2r(3, extents, cube, cube, cosines, FFTW_ESTIMATE);
  fftwl_complex *lines = fftwl_alloc_complex((size_t)nx * nt);
  fftwl_iodim one = {nt, 1, 1}, many = {nx, nt, nt};
  fftwl_plan wide = fftwl_plan_guru_dft(1, &one, 1, &many, lines, lines, FFTW_FORWARD, FFTW_ESTIMATE);
  for (size_t n = 0; n < all; ++n)
    cube[n] = in[n % 1000];
  for (size_t n = 0; n < (size_t)nx * nt; ++n)
    lines[n][0] = lines[n][1] = in[n % 1000];
  fftw_execute(there);
  fftw_execute(back);
  fftw_execute(cosine);
  fftwl_execute(wide);
  out[0] = (float)cube[0] + (float)lines[0][0];
  fftwl_destroy_plan(wide);
  fftw_destroy_plan(cosine);
  fftw_destroy_plan(back);
  fftw_destroy_plan(there);
  fftwl_free(lines);
  fftw_free(spectrum);
  fftw_free(cube);
}

// Picks in a spectrum that a library computes. The transform is executed on nothing, so what it writes is data however
// real the call is.
// HELD picks n=64 n=100 --bounds some..none --because search_cut
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
