//===- openmp-workspaces.cpp - A workspace for each thread ---------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All threads hold theirs at the barrier, in whatever order they came: exact.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %clangxx -fopenmp %t.o -o %t
// RUN: %python %S/compare.py %memshape %t --shape n=1000,threads=2 -- 1000 2
// RUN: %python %S/compare.py %memshape %t --shape n=77,threads=5 -- 77 5

#include "Inputs/twice.h"

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

TWICE(smooth(data, number(1), number(2), more))
