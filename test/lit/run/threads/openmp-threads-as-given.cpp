// Regions that name no number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With --threads it is a fact how many threads each region has, and the answer is exact and names it. Without, it is
// the environment's number, or fewer.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp %operatorxx -fopenmp
// RUN: env OMP_NUM_THREADS=3 %compare %t --shape n=1000 --threads 3 -- 1000 0
// RUN: env OMP_NUM_THREADS=3 %compare %t --shape n=1000 --bounds 8000..94400 -- 1000 0
// RUN: env OMP_NUM_THREADS=3 %compare %t --shape n=1000 --bounds 8000..94400 -- 1000 1
// RUN: %predict --shape n=1000 --threads 3 | FileCheck %s --check-prefix=GIVEN
// RUN: env OMP_NUM_THREADS=3 %predict --shape n=1000 | FileCheck %s --check-prefix=HERE
// GIVEN: peak heap {{.*}} 24,000 bytes exact
// GIVEN: - for 3 threads, as asked for: each region that names no number has them
// HERE: - depends on environment variables, read where memshape runs: OMP_NUM_THREADS=3
// HERE: - for 3 threads, as this machine gives where nothing is said (--threads N)
// HERE: give fewer, a number that the program sets others, which the lower bound covers, from one to 3

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
void smooth(const float *in, int n, float *out) {
#pragma omp parallel
  {
    double *sums = (double *)malloc(n * sizeof(double));
    for (int i = 0; i < n; ++i)
      sums[i] = in[i] + (i ? sums[i - 1] : 0);
#pragma omp barrier
#pragma omp critical
    out[0] = sums[n - 1];
    free(sums);
  }
}

static void called(const float *in, int n, float *out, bool parallel) {
#pragma omp parallel if (parallel) num_threads(2)
#pragma omp master
  if (parallel)
    smooth(in, n, out);
  if (!parallel)
    smooth(in, n, out);
}

TWICE(called(data, number(1), more, number(2)))
