// Plans of all interfaces of a library.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arrays of extents, of strides and of kinds, guru dimensions, in double and long double, one after the other on the
// same arrays.
//
// RUN: %clang -std=c11 -O2 %operator -lfftw3 -lfftw3l
// RUN: %compare %t --shape ni=4,nx=5,nt=6 -- 4 5 6
// RUN: %compare %t --shape ni=10,nx=12,nt=37 -- 10 12 37

#include "../Inputs/twice.h"
#include <fftw3.h>

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

TWICE(kinds(data, number(1), number(2), number(3), more))
