// Questions outside of all regions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which thread of which team this is, and which part of a loop it has, is up to the caller.
//
// RUN: %held -std=c++20 -O2 -fopenmp
// HELD '-DSIZE=omp_get_thread_num() + 1' n=100 --bounds 0..none --because team_size -- 100 0
// HELD '-DSIZE=omp_get_thread_num() + 1' n=100 --bounds 0..none --because team_size -- 100 1
// HELD -DSIZE=omp_get_num_threads() n=100 --bounds 0..none --because team_size -- 100 1
// HELD '-DSIZE=omp_get_level() + 1' n=100 --bounds 0..none --because team_size -- 100 1
// HELD -DSIZE=part(n) n=100 --bounds 0..none --because team_size -- 100 1

#include "../Inputs/twice.h"

extern "C" int omp_get_thread_num(void), omp_get_num_threads(void), omp_get_level(void);

static int part(int n) {
  int count = 1;
#pragma omp for schedule(static) nowait
  for (int i = 0; i < n; ++i)
    ++count;
  return count;
}

MEMSHAPE_OPERATOR
void keep(const float *in, int n, float *out) {
  float *copy = (float *)malloc(sizeof(float) * n * (SIZE));
  copy[0] = in[0];
  out[0] = copy[n / 100 - 1];
  free(copy);
}

static void called(const float *in, int n, float *out, bool parallel) {
#pragma omp parallel num_threads(3) if (parallel)
  if (!parallel || omp_get_thread_num() == 2)
    keep(in, n, out);
}
