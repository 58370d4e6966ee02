// A workspace for each thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All threads hold theirs at the barrier, in whatever order they came. How many there are, up to the number that the
// clause names, is up to the environment and to the caller; one that runs the region alone gets 288 bytes more from
// the run-time library.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp %operatorxx -fopenmp
// RUN: %compare %t --shape n=1000,threads=3 --bounds 8000..114944 -- 1000 3 nothing
// RUN: %compare %t --shape n=77,threads=5 --bounds 616..111728 -- 77 5 nothing
// RUN: %compare %t --shape n=1000,threads=3 --bounds 8000..114944 -- 1000 3 limit
// RUN: %compare %t --shape n=1000,threads=3 --bounds 8000..114944 -- 1000 3 dynamic
// RUN: %compare %t --shape n=1000,threads=3 --bounds 8000..114944 -- 1000 3 parallel
// RUN: %compare %t --shape n=1000,threads=3 --bounds 8000..114944 -- 1000 3 alone
// RUN: %compare %t --shape n=1000,threads=3 --bounds 8000..114944 -- 1000 3 between
// RUN: %compare %t --shape n=1000,threads=0 --bounds 8000..8400 -- 1000 0 alone
// RUN: env OMP_THREAD_LIMIT=2 %compare %t --shape n=1000,threads=3 --bounds 8000..73856 -- 1000 3 nothing
// RUN: env OMP_THREAD_LIMIT=2 %predict --shape n=1000,threads=3 | FileCheck %s
// CHECK: peak heap {{.*}} 73,856 bytes at most: threads decide
// CHECK: expected {{.*}} 16,000 bytes
// CHECK: - depends on environment variables, read where memshape runs: OMP_THREAD_LIMIT=2
// CHECK: - the peak is that of teams which have all threads that they ask for; a limit (OMP_THREAD_LIMIT), dynamic teams (OMP_DYNAMIC)

#include "../Inputs/twice.h"
#include <string_view>

extern "C" void omp_set_dynamic(int);

MEMSHAPE_OPERATOR
void smooth(const float *in, int n, int threads, float *out) {
#pragma omp parallel num_threads(threads + 1)
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

static void called(const float *in, int n, int threads, float *out, std::string_view by) {
  if (by == "limit")
    setenv("OMP_THREAD_LIMIT", "2", 1);
  if (by == "dynamic")
    omp_set_dynamic(1);
  if (by == "between") {
#pragma omp parallel num_threads(2)
#pragma omp critical
    out[1] = in[1];
  }
  if (by == "parallel" || by == "alone") {
#pragma omp parallel num_threads(by == "alone" ? 1 : 2)
#pragma omp master
    {
#pragma omp parallel num_threads(by == "alone" ? 1 : threads)
#pragma omp master
      smooth(in, n, threads, out);
    }
    return;
  }
  smooth(in, n, threads, out);
}

TWICE(called(data, number(1), number(2), more, arguments[3]))
