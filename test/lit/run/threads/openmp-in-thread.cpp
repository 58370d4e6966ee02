// A region in a std::thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run-time library makes a team anew for each thread of the program; that is in the bounds.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp %operatorxx -fopenmp
// RUN: %compare %t --shape n=1000,threads=3 --bounds 4032..1119488 -- 1000 3

#include "../Inputs/twice.h"
#include <thread>

MEMSHAPE_OPERATOR
void inside(const float *in, int n, int threads, float *out) {
  std::thread([=] {
#pragma omp parallel num_threads(threads)
    {
      float *copy = (float *)malloc(n * sizeof(float));
      for (int i = 0; i < n; ++i)
        copy[i] = in[i];
#pragma omp barrier
#pragma omp critical
      out[0] += copy[n / 2];
      free(copy);
    }
  }).join();
}

TWICE(inside(data, number(1), number(2), more))
