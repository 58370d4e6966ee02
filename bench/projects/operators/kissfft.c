// Operators on kissfft.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "kfc.h"
#include "kiss_fft.h"
#include "kiss_fftnd.h"
#include "kiss_fftndr.h"
#include "kiss_fftr.h"
#include <stdlib.h>
#include <string.h>
//@ n=100 | n=1050000
void kf_forward(const float *in, int n, float *out) {
  kiss_fft_cfg cfg = kiss_fft_alloc(n, 0, NULL, NULL);
  kiss_fft(cfg, (const kiss_fft_cpx *)in, (kiss_fft_cpx *)out);
  free(cfg);
}
//@ n=100 | n=1050000
void kf_inplace(float *in, int n) {
  kiss_fft_cfg cfg = kiss_fft_alloc(n, 1, NULL, NULL);
  kiss_fft(cfg, (const kiss_fft_cpx *)in, (kiss_fft_cpx *)in);
  free(cfg);
}
//@ n=64,columns=7 | n=1080,columns=1920
void kf_columns(const float *in, int n, int columns, float *out) {
  kiss_fft_cfg cfg = kiss_fft_alloc(n, 0, NULL, NULL);
  for (int c = 0; c < columns; ++c)
    kiss_fft_stride(cfg, (const kiss_fft_cpx *)in + c, (kiss_fft_cpx *)out + (long)c * n, columns);
  free(cfg);
}
//@ n=100 | n=1000000
void kf_real(const float *in, int n, float *out) {
  kiss_fftr_cfg cfg = kiss_fftr_alloc(n, 0, NULL, NULL);
  kiss_fftr(cfg, in, (kiss_fft_cpx *)out);
  free(cfg);
}
//@ n=100 | n=1000000
void kf_real_inverse(const float *in, int n, float *out) {
  kiss_fftr_cfg cfg = kiss_fftr_alloc(n, 1, NULL, NULL);
  kiss_fftri(cfg, (const kiss_fft_cpx *)in, out);
  free(cfg);
}
//@ nx=20,ny=30 | nx=1000,ny=1500
void kf_2d(const float *in, int nx, int ny, float *out) {
  int dims[2] = {nx, ny};
  kiss_fftnd_cfg cfg = kiss_fftnd_alloc(dims, 2, 0, NULL, NULL);
  kiss_fftnd(cfg, (const kiss_fft_cpx *)in, (kiss_fft_cpx *)out);
  free(cfg);
}
//@ nx=8,ny=9,nz=10 | nx=16,ny=9,nz=10
void kf_3d_real(const float *in, int nx, int ny, int nz, float *out) {
  int dims[3] = {nx, ny, nz};
  kiss_fftndr_cfg cfg = kiss_fftndr_alloc(dims, 3, 0, NULL, NULL);
  kiss_fftndr(cfg, in, (kiss_fft_cpx *)out);
  free(cfg);
}
//@ n=100 | n=1000003
void kf_convolve(const float *in, int n, float *out) {
  int size = kiss_fft_next_fast_size(2 * n);
  kiss_fft_cpx *padded = calloc(size, sizeof(*padded)), *spectrum = malloc(size * sizeof(*spectrum));
  memcpy(padded, in, n * sizeof(*padded));
  kiss_fft_cfg f = kiss_fft_alloc(size, 0, NULL, NULL), b = kiss_fft_alloc(size, 1, NULL, NULL);
  kiss_fft(f, padded, spectrum);
  kiss_fft(b, spectrum, padded);
  memcpy(out, padded, n * sizeof(*padded));
  free(f);
  free(b);
  free(padded);
  free(spectrum);
}
//@ n=100 | n=1000
void kf_cached(const float *in, int n, float *out) { kfc_fft(n, (const kiss_fft_cpx *)in, (kiss_fft_cpx *)out); }
