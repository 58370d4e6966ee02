// Regions in all their forms.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sections, a clause that forbids the region, a region in a region, a number of threads set by the program.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp %operatorxx -fopenmp
// RUN: %compare %t --shape n=100,threads=3 --bounds 0..none --because thread_order -- 100 3
// RUN: %compare %t --shape n=8,threads=2 --bounds 0..none --because thread_order -- 8 2

#include "../Inputs/twice.h"
#include <vector>

extern "C" void omp_set_num_threads(int);
extern "C" int omp_get_max_threads(void), omp_get_thread_num(void), omp_get_num_threads(void), omp_in_parallel(void);

MEMSHAPE_OPERATOR
void regions(const float *in, int n, int threads, float *out) {
  omp_set_num_threads(threads);
  std::vector<float> each(omp_get_max_threads());
#pragma omp parallel
  {
    std::vector<float> mine(in, in + n * (omp_get_thread_num() + 1) + omp_get_num_threads());
    each[omp_get_thread_num()] = mine[n / 2];
#pragma omp parallel
    {
      std::vector<double> nested(in, in + n + 100 * omp_get_thread_num() + omp_in_parallel());
#pragma omp atomic
      out[0] += static_cast<float>(nested[n / 2]);
    }
  }
#pragma omp parallel if (n > 50)
  {
    std::vector<double> maybe(in, in + 2 * n);
#pragma omp master
    out[1] = static_cast<float>(maybe[n / 2]);
  }
#pragma omp parallel sections
  {
#pragma omp section
    out[2] = std::vector<float>(in, in + 3 * n)[n / 2];
#pragma omp section
    out[3] = std::vector<float>(in, in + 5 * n)[n / 2];
  }
  long bytes = 0;
#pragma omp parallel private(bytes)
  {
#pragma omp single copyprivate(bytes)
    bytes = 6 * n + omp_get_num_threads();
    std::vector<char> told(bytes);
#pragma omp barrier
#pragma omp critical
    out[5] += told[n / 2];
  }
  out[4] = each.back();
}

TWICE(regions(data, number(1), number(2), more))
