// Which thread comes first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many threads there are may be a fact, which of them comes first is none: a size from the number of the thread that
// does, or from what an earlier one has left, is not exact. A loop that is dealt out once for all, and buffers of all
// threads, are the same in any order.
//
// RUN: env OMP_NUM_THREADS=4 %held -std=c++20 -O2 -fopenmp
// HELD single n=50 --threads 4 --bounds 0..none --because circumstances
// HELD first n=50 --threads 4 --bounds 0..none --because circumstances
// HELD last n=50 --threads 4 --bounds 0..none --because circumstances
// HELD grown n=50 --threads 4 --bounds 0..none --because circumstances
// HELD dealt n=50 --threads 4 --bounds 59..2048
// HELD buffers n=50 --threads 4
// RUN: %memshape predict %t --operator first --shape n=50 --threads 4 | %says "it depends on which thread of a team comes first"

#include "../Inputs/taken.h"
#include "../Inputs/twice.h"

extern "C" int omp_get_thread_num();

MEMSHAPE_OPERATOR
float single(const float *in, int n) {
  int thread = 0;
#pragma omp parallel
#pragma omp single
  thread = omp_get_thread_num();
  return taken(in, n + 9 * thread);
}
MEMSHAPE_OPERATOR
float first(const float *in, int n) {
  int count = 0, thread = 0;
#pragma omp parallel
  {
    int before;
#pragma omp atomic capture
    before = count++;
    if (before == 0)
      thread = omp_get_thread_num();
  }
  return taken(in, n + 9 * thread);
}
MEMSHAPE_OPERATOR
float last(const float *in, int n) {
  int thread = 0;
#pragma omp parallel
#pragma omp critical
  thread = omp_get_thread_num();
  return taken(in, n + 9 * thread);
}
MEMSHAPE_OPERATOR
float grown(const float *in, int n) {
  char *block = nullptr;
  int room = 0;
#pragma omp parallel
#pragma omp critical
  if (const int need = (omp_get_thread_num() * 3 % 4 + 1) * n; need > room) {
    block = (char *)realloc(block, need);
    room = need;
  }
  block[n] = char(in[1] + 3);
  const float result = block[n + (int)(in[2] + 1)];
  free(block);
  return result;
}
MEMSHAPE_OPERATOR
float dealt(const float *in, int n) {
  int thread = 0;
#pragma omp parallel for schedule(static)
  for (int k = 0; k < n; ++k)
    if (k == n / 2)
      thread = omp_get_thread_num();
  return taken(in, n + 9 * thread);
}
MEMSHAPE_OPERATOR
float buffers(const float *in, int n) {
  float *of[4] = {}, result = 0;
#pragma omp parallel
  of[omp_get_thread_num() & 3] = (float *)calloc(n, 4);
  for (float *each : of) {
    if (each) {
      each[(int)(in[1] + 1)] = 1;
      result += each[(int)(in[2] + 1)];
    }
    free(each);
  }
  return result;
}
