// Regions inside of regions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The inner ones have one thread, or as many as they ask for: whoever calls may allow that, in the environment or by a
// call. The upper bound is that of all of them, with what the run-time library then requests.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp %operatorxx -fopenmp
// RUN: %compare %t --shape n=25000,threads=3 --bounds 0..1345664 -- 25000 3 0
// RUN: %compare %t --shape n=25000,threads=3 --bounds 0..1345664 -- 25000 3 3
// RUN: env OMP_MAX_ACTIVE_LEVELS=2 %compare %t --shape n=25000,threads=3 --bounds 0..1345664 -- 25000 3 0
// RUN: env OMP_MAX_ACTIVE_LEVELS=2 %predict --shape n=25000,threads=3 | FileCheck %s
// CHECK: peak heap {{.*}} 1,345,664 bytes at most: threads decide
// CHECK: expected {{.*}} 1,200,000 bytes
// CHECK: OMP_MAX_ACTIVE_LEVELS=2
// CHECK: decide whether regions inside of others have more than one

#include "../Inputs/twice.h"

extern "C" void omp_set_max_active_levels(int);

MEMSHAPE_OPERATOR
void smooth(const float *in, int n, int threads, float *out) {
#pragma omp parallel num_threads(threads)
#pragma omp parallel num_threads(2)
  {
    double *sums = (double *)malloc(n * sizeof(double));
    for (int i = 0; i < n; ++i)
      sums[i] = in[i % 1000] + (i ? sums[i - 1] : 0);
#pragma omp barrier
#pragma omp critical
    out[0] = sums[n - 1];
    free(sums);
  }
}

static void called(const float *in, int n, int threads, float *out, int levels) {
  if (levels)
    omp_set_max_active_levels(levels);
  smooth(in, n, threads, out);
}

TWICE(called(data, number(1), number(2), more, number(3)))
