// Iterations that any thread may get.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workspaces that live through the loop grow with the greatest iteration that their thread has had.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp %operatorxx -fopenmp
// RUN: %compare %t --shape n=100,threads=4 --bounds 9312..226400 -- 100 4
// RUN: %compare %t --shape n=3,threads=7 --bounds 244..309836 -- 3 7
// RUN: %compare %t --shape n=101,threads=1 --bounds 24876..108332 -- 101 1

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
void rows(const float *in, int n, int threads, float *out) {
  std::vector<std::vector<float>> kept(n);
#pragma omp parallel num_threads(threads)
  {
    std::vector<double> workspace;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < n; ++i) {
      workspace.resize(8 * (i % 13) + 1);
      std::vector<double> row(in, in + i + 1);
      kept[i].assign(row.begin(), row.end());
      workspace[0] = row[i / 2];
    }
#pragma omp for schedule(guided, 4) nowait
    for (int i = 0; i < n; ++i)
      out[i] = kept[i][i / 2];
  }
}

TWICE(rows(data, number(1), number(2), more))
