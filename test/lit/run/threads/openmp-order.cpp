// Which thread comes first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many threads there are may be a fact, which of them comes first is none: a size from the number of the thread that
// does, or from what an earlier one has left, is not exact. A loop that is dealt out once for all, and buffers of all
// threads, are the same in any order.
//
// RUN: env OMP_NUM_THREADS=4 %held -std=c++20 -O2 -fopenmp
// HELD single n=50 --threads 4 --bounds 0..87581
// HELD first n=50 --threads 4 --bounds 0..87581
// HELD last n=50 --threads 4 --bounds 0..87581
// HELD grown n=50 --threads 4 --bounds 0..88304
// HELD dealt n=50 --threads 4 --bounds 59..2048
// HELD buffers n=50 --threads 4
// HELD taken_in_turn n=50 --threads 4 --bounds 0..87704
// HELD taken_under_critical n=50 --threads 4 --bounds 0..none --because circumstances
// HELD taken_under_lock n=50 --threads 4 --bounds 0..none --because circumstances
// HELD counted_of_dealt n=50 --threads 4 --bounds 0..none --because circumstances
// HELD summed n=50 --threads 4
// HELD asked n=50 --threads 4
// HELD asked n=50 --bounds 50..200
// HELD tasks n=50 --threads 4 --bounds 50..4202930
// RUN: %memshape predict %t --operator first --shape n=50 --threads 4 | %says "it depends on which thread of a team comes first"

#include "../Inputs/taken.h"
#include "../Inputs/twice.h"

extern "C" int omp_get_thread_num(), omp_get_max_threads();
struct omp_lock_t {
  void *state;
};
extern "C" void omp_init_lock(omp_lock_t *), omp_destroy_lock(omp_lock_t *), omp_set_lock(omp_lock_t *),
    omp_unset_lock(omp_lock_t *);

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

// Any thread may take the next row, and any number of them.
template <class Take> static float rows(const float *in, int n, Take take) {
  float result = 0;
  int next = 0;
#pragma omp parallel reduction(+ : result)
  for (int k; (k = take(next)) < n;)
    result += taken(in, k + 1);
  return result;
}
MEMSHAPE_OPERATOR
float taken_in_turn(const float *in, int n) {
  return rows(in, n, [](int &next) {
    int k;
#pragma omp atomic capture
    k = next++;
    return k;
  });
}
MEMSHAPE_OPERATOR
float taken_under_critical(const float *in, int n) {
  return rows(in, n, [](int &next) {
    int k;
#pragma omp critical
    k = next++;
    return k;
  });
}
MEMSHAPE_OPERATOR
float taken_under_lock(const float *in, int n) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  const float result = rows(in, n, [&](int &next) {
    omp_set_lock(&lock);
    const int k = next++;
    omp_unset_lock(&lock);
    return k;
  });
  omp_destroy_lock(&lock);
  return result;
}
MEMSHAPE_OPERATOR
float counted_of_dealt(const float *in, int n) {
  int counts[4] = {};
#pragma omp parallel for schedule(dynamic, 1)
  for (int k = 0; k < n; ++k)
    ++counts[omp_get_thread_num() & 3];
  return taken(in, n + 9 * counts[1]);
}
// A sum is the same in any order.
MEMSHAPE_OPERATOR
float summed(const float *in, int n) {
  int sum = 0;
#pragma omp parallel
#pragma omp atomic
  sum += 3;
  return taken(in, n + sum);
}
// The library takes a pool for tasks, whatever these do.
MEMSHAPE_OPERATOR
float tasks(const float *in, int n) {
  float each[64] = {};
#pragma omp parallel
#pragma omp single
  for (int k = 0; k < n; ++k)
#pragma omp task
    each[k & 63] += in[k];
  return taken(in, n) + each[n / 2];
}
// Callers set other numbers.
MEMSHAPE_OPERATOR
float asked(const float *in, int n) { return taken(in, n * omp_get_max_threads()); }
