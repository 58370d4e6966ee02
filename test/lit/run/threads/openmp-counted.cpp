// Upper bounds of parallel regions where data decides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each thread may hold what any iteration lets one hold, and any thread may get any iterations. Beside what the program
// requests, the run-time library may hold 32,768 bytes, 12,544 for each thread, and some hundred where work is shared.
//
// RUN: env OMP_NUM_THREADS=4 %held -std=c++20 -O2 -fopenmp

#include "../Inputs/twice.h"
#include <vector>

extern "C" int omp_get_thread_num(), omp_get_num_threads();

/// Keeps what is above 0 of a row in a vector that grows: at most 6,144 bytes of 1,000 numbers.
static void row(const float *in, int n, int at, float *out) {
  std::vector<float> kept;
  for (int i = 0; i < n; ++i)
    if (in[(at * n + i) % 4096] > 0)
      kept.push_back(in[i]);
  out[at % 64] = float(kept.size());
}

// HELD equal_parts n=1000,threads=4 --bounds 0..112080 -- 1000 4
// HELD equal_parts n=37,threads=3 --bounds 0..75200 -- 37 3
MEMSHAPE_OPERATOR
void equal_parts(const float *in, int n, int threads, float *out) {
#pragma omp parallel for num_threads(threads)
  for (int r = 0; r < 50; ++r)
    row(in, n, r, out);
}

// HELD downwards n=1000,threads=4 --bounds 0..112080 -- 1000 4
MEMSHAPE_OPERATOR
void downwards(const float *in, int n, int threads, float *out) {
#pragma omp parallel for num_threads(threads) schedule(static, 4)
  for (int r = 49; r >= 0; r -= 3)
    row(in, n, r, out);
}

// HELD guided n=1000,threads=4 --bounds 0..112080 -- 1000 4
MEMSHAPE_OPERATOR
void guided(const float *in, int n, int threads, float *out) {
#pragma omp parallel for num_threads(threads) schedule(guided)
  for (unsigned r = 0; r < 50U; ++r)
    row(in, n, int(r), out);
}

// HELD one_after_the_other n=1000,threads=4 --bounds 0..112080 -- 1000 4
static void rows(const float *in, int n, float *out) {
#pragma omp for schedule(dynamic, 3)
  for (int r = 0; r < 40; ++r)
    row(in, n, r, out);
}
MEMSHAPE_OPERATOR
void one_after_the_other(const float *in, int n, int threads, float *out) {
#pragma omp parallel num_threads(threads)
  {
    rows(in, n, out);
    rows(in, n / 2, out);
  }
}

// Regions in a loop: the next one's threads begin when the last one's have ended.
// HELD many_regions n=1000,threads=4 --bounds 0..112080 -- 1000 4
MEMSHAPE_OPERATOR
void many_regions(const float *in, int n, int threads, float *out) {
  for (int k = 0; k < 30; ++k)
#pragma omp parallel for num_threads(threads)
    for (int r = 0; r < 20; ++r)
      row(in, n, r + k, out);
}

// As many threads as the environment says.
// HELD unnamed n=1000 --bounds 0..112080
MEMSHAPE_OPERATOR
void unnamed(const float *in, int n, float *out) {
#pragma omp parallel for
  for (int r = 0; r < 50; ++r)
    row(in, n, r, out);
}

// Any thread may be the one, so each counts as that one.
// HELD by_one_thread n=1000,threads=4 --bounds 0..112080 -- 1000 4
MEMSHAPE_OPERATOR
void by_one_thread(const float *in, int n, int threads, float *out) {
#pragma omp parallel num_threads(threads)
  {
#pragma omp single nowait
    row(in, n, 1, out);
#pragma omp master
    row(in, n, 2, out);
#pragma omp barrier
    row(in, n, omp_get_thread_num(), out);
  }
}

// The array that all threads add to, each of them as often as there are iterations.
// HELD under_critical n=1000,threads=4 --bounds 0..151504 -- 1000 4
MEMSHAPE_OPERATOR
void under_critical(const float *in, int n, int threads, float *out) {
  std::vector<int> found;
#pragma omp parallel for num_threads(threads)
  for (int r = 0; r < n; ++r)
    if (in[r] > 0) {
#pragma omp critical
      found.push_back(r);
    }
  out[0] = float(found.size());
}

// A block that another thread frees lives until the region ends, if nothing says more: in three rounds three of each.
// HELD freed_by_the_next n=1000,threads=4 --bounds 0..135504 -- 1000 4
MEMSHAPE_OPERATOR
void freed_by_the_next(const float *in, int n, int threads, float *out) {
  float *of[64] = {};
#pragma omp parallel num_threads(threads)
  {
    const int own = omp_get_thread_num(), all = omp_get_num_threads();
    for (int round = 0; round < 3; ++round) {
      of[own] = in[own] > 0 ? (float *)calloc(n, 4) : nullptr;
#pragma omp barrier
      free(of[(own + 1) % all]);
      out[own] = float(round);
#pragma omp barrier
    }
  }
}

// A block of the caller's, freed in a thread.
// HELD freed_inside n=1000,threads=4 --bounds 0..116080 -- 1000 4
MEMSHAPE_OPERATOR
void freed_inside(const float *in, int n, int threads, float *out) {
  float *block = (float *)malloc(n * 4);
  block[0] = in[0];
#pragma omp parallel num_threads(threads)
  {
#pragma omp single
    {
      out[0] = block[0];
      free(block);
    }
    row(in, n, omp_get_thread_num(), out);
  }
}

// Sizes from numbers of threads.
// HELD sized_by_threads n=1000,threads=4 --bounds 0..279696 -- 1000 4
MEMSHAPE_OPERATOR
void sized_by_threads(const float *in, int n, int threads, float *out) {
#pragma omp parallel num_threads(threads)
  {
    std::vector<float> work(n * (omp_get_thread_num() + 1) + omp_get_num_threads());
    if (in[0] > 0)
      work.resize(work.size() + 10);
    out[omp_get_thread_num()] = work[0];
  }
}

// Regions in regions that name their numbers.
// HELD regions_in_regions n=1000,threads=4 --bounds 0..281504 -- 1000 4
MEMSHAPE_OPERATOR
void regions_in_regions(const float *in, int n, int threads, float *out) {
#pragma omp parallel for num_threads(threads)
  for (int a = 0; a < 4; ++a) {
    std::vector<float> work(in[a] > 0 ? n : 2 * n);
#pragma omp parallel for num_threads(2)
    for (int b = 0; b < 6; ++b)
      row(in, n, a * 6 + b, out);
    out[a] += work[0];
  }
}

// A task may come late, and with it what it frees.
// HELD late_tasks n=1000,threads=4 --bounds 0..none --because search_cut -- 1000 4
// RUN: %memshape predict %t --operator late_tasks --shape n=1000,threads=4 | %says "may allocate more: tasks"
MEMSHAPE_OPERATOR
void late_tasks(const float *in, int n, int threads, float *out) {
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int r = 0; r < 20; ++r)
#pragma omp task
    row(in, n, r, out);
}
