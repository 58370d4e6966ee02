// Iterations by thread number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which iterations a thread gets decides what it allocates. What others hold meanwhile is a matter of chance.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp %operatorxx -fopenmp
// RUN: %compare %t --shape n=100,threads=4 --bounds 800..199440 -- 100 4
// RUN: %compare %t --shape n=3,threads=7 --bounds 24..309296 -- 3 7
// RUN: %compare %t --shape n=101,threads=1 --bounds 808..84264 -- 101 1

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
void triangle(const float *in, int n, int threads, float *out) {
  double sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
  for (int i = 0; i < n; ++i) {
    std::vector<double> row(in, in + i + 1);
    sum += row[i / 2];
  }
#pragma omp parallel for num_threads(threads) schedule(static, 3)
  for (int i = 0; i < n; ++i) {
    std::vector<float> row(in, in + 2 * i + 1);
    out[i] = row[i] + static_cast<float>(sum);
  }
}

TWICE(triangle(data, number(1), number(2), more))
