// OpenMP tasks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As many at a time as there are threads, beside the one that makes them, until it waits for them.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp %operatorxx -fopenmp
// RUN: %compare %t --shape n=100,threads=3 --bounds 202000..10714800 -- 100 3
// RUN: %compare %t --shape n=1000,threads=2 --bounds 20020000..27461696 -- 1000 2
// RUN: %compare %t --shape n=4,threads=8 --bounds 400..26268496 -- 4 8

#include "../Inputs/twice.h"
#include <vector>

static double sum(const float *in, int n) {
  std::vector<double> copy(in, in + n);
  if (n < 8)
    return copy[0];
  double left, right;
#pragma omp task shared(left)
  left = sum(in, n / 2);
#pragma omp task shared(right)
  right = sum(in + n / 2, n - n / 2);
#pragma omp taskwait
  return left + right;
}

MEMSHAPE_OPERATOR
void sums(const float *in, int n, int threads, float *out) {
  std::vector<std::vector<float>> rows(n);
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    for (int i = 0; i < n; ++i)
#pragma omp task firstprivate(i) shared(rows)
      rows[i].assign(in, in + 10 * i);
#pragma omp taskwait
    std::vector<double> copied(in, in + n);
    for (int i = 0; i < 3; ++i)
#pragma omp task firstprivate(copied)
      out[1 + i] = static_cast<float>(copied[n / 2]);
    out[0] = static_cast<float>(sum(in, n));
  }
}

TWICE(sums(data, number(1), number(2), more))
