// Thread-local variables in threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A team's threads live on and keep theirs for the next call; a std::thread takes its own along when it ends.
// The first thread keeps its own from call to call: what it finds depends on the shapes of earlier calls.
//
// RUN: %clangxx -std=c++20 -O2 -fopenmp %operatorxx -fopenmp
// RUN: %compare %t --shape n=1000,threads=2 --bounds 0..none --because earlier_calls -- 1000 2
// RUN: %compare %t --shape n=10,threads=4 --bounds 0..none --because earlier_calls -- 10 4

#include "../Inputs/twice.h"
#include <thread>
#include <vector>

static float scratch(const float *in, int n, int more) {
  thread_local std::vector<float> buffer;
  buffer.resize(n);
  buffer.insert(buffer.end(), more, in[0]);
  buffer.shrink_to_fit();
  return buffer[n / 2];
}

MEMSHAPE_OPERATOR
void use(const float *in, int n, int threads, float *out) {
  for (int t = 0; t < 2; ++t)
    std::thread([=] { out[t] = scratch(in, n, t); }).join();
#pragma omp parallel num_threads(threads)
  {
    float mine = scratch(in, n, 3);
#pragma omp barrier
#pragma omp critical
    out[2] = mine;
  }
}

TWICE(use(data, number(1), number(2), more))
