// Functions for processors with more than the.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions for processors with more than the unit's
//
// flags:
// flags: -march=haswell
// flags: -mavx512f

#include <immintrin.h>
#include <stdlib.h>

__attribute__((target("avx2"))) static int width(int n) {
  __m256i A = _mm256_shuffle_epi8(_mm256_set1_epi32(n), _mm256_set1_epi8(static_cast<char>(n)));
  return _mm256_extract_epi32(A, 3) & 255;
}

extern "C" void dispatched(const float *in, int n, float *out) {
  int K = __builtin_cpu_supports("avx2") ? width(n) + 1 : n;
  float *Work = static_cast<float *>(malloc(4L * K));
  for (int I = 0; I < K; ++I)
    Work[I] = in[I];
  out[0] = Work[K / 2];
  free(Work);
}

__attribute__((target("avx512f"))) __m512 wide(__m512 x, int n) {
  void *Work = malloc(64L * n);
  __m512 Sum = _mm512_add_ps(x, _mm512_set1_ps(Work ? 1.0f : 0.0f));
  free(Work);
  return Sum;
}

__attribute__((target("avx512f,avx512bw"))) void rows(const __m512i *in, int n, __m512i *out) {
  __m512i *Copy = static_cast<__m512i *>(aligned_alloc(64, 64L * n));
  for (int I = 0; I < n; ++I)
    Copy[I] = _mm512_adds_epi8(in[I], in[I]);
  out[0] = Copy[n - 1];
  free(Copy);
}
