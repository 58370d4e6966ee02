// Threads that take turns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who holds a lock is a matter of chance; that somebody does allocates nothing.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp %operatorxx -fopenmp
// RUN: %compare %t --shape n=100,threads=4 --bounds 800..198352 -- 100 4
// RUN: %compare %t --shape n=7,threads=1 --bounds 56..83512 -- 7 1

#include "../Inputs/twice.h"
#include <vector>

struct Lock {
  void *state;
};
extern "C" void omp_init_lock(Lock *), omp_set_lock(Lock *), omp_unset_lock(Lock *), omp_destroy_lock(Lock *);

MEMSHAPE_OPERATOR
void accumulate(const float *in, int n, int threads, float *out) {
  std::vector<float> sums(n);
  Lock lock;
  omp_init_lock(&lock);
#pragma omp parallel for num_threads(threads) schedule(static)
  for (int i = 0; i < n; ++i) {
    omp_set_lock(&lock);
    std::vector<float> row(in, in + n);
    sums[i % 7] += row[i];
    omp_unset_lock(&lock);
  }
  omp_destroy_lock(&lock);
  out[0] = sums[0];
}

TWICE(accumulate(data, number(1), number(2), more))
