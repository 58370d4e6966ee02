// Threads that tell each other sizes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread sets some counts; after the barrier one of them allocates for all. The run-time library's own bytes
// are in the bounds.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp %operatorxx -fopenmp
// RUN: %compare %t --shape n=1000,threads=3 --bounds 52012..218732 -- 1000 3
// RUN: %compare %t --shape n=50,threads=1 --bounds 604..84060 -- 50 1

#include "../Inputs/twice.h"
#include <numeric>
#include <vector>

MEMSHAPE_OPERATOR
void gather(const float *in, int n, int threads, float *out) {
  std::vector<int> counts(threads);
  std::vector<double> all;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static, 1)
    for (int k = 0; k < threads; k++)
      counts[k] = n * (k + 1);
#pragma omp single
    all.resize(std::accumulate(counts.begin(), counts.end(), 0));
    std::vector<float> mine(in, in + n);
#pragma omp critical
    all[0] += mine[n / 2];
  }
  out[0] = static_cast<float>(all[0]);
}

TWICE(gather(data, number(1), number(2), more))
