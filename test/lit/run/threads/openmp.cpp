// Regions, loops, tasks and locks of OpenMP.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The run-time library's own bytes are in the bounds.
//
// RUN: %held -std=c++20 -O2 -fopenmp

#include "../Inputs/twice.h"
#include <numeric>
#include <thread>
#include <vector>

// Iterations by thread number. Which iterations a thread gets decides what it allocates. What others hold meanwhile is
// a matter of chance.
// HELD triangle n=100,threads=4 --bounds 800..86544
// HELD triangle n=3,threads=7 --bounds 24..121136
// HELD triangle n=101,threads=1 --bounds 808..1720
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

// Iterations that any thread may get. Workspaces that live through the loop grow with the greatest iteration that their
// thread has had.
// HELD rows n=100,threads=4 --bounds 9312..113504
// HELD rows n=3,threads=7 --bounds 244..121676
// HELD rows n=101,threads=1 --bounds 24876..25788
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

// Threads that tell each other sizes. Each thread sets some counts; after the barrier one of them allocates for all.
// The run-time library's own bytes are in the bounds.
// HELD gather n=1000,threads=3 --bounds 52012..130924
// HELD gather n=50,threads=1 --bounds 604..1516
MEMSHAPE_OPERATOR
void gather(const float *in, int n, int threads, float *out) {
  std::vector<int> counts(threads);
  std::vector<double> all;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static, 1)
    for (int k = 0; k < threads; k++)
      counts[k] = n * (k + 1);
#pragma omp single
    all.resize(std::accumulate(counts.begin(), counts.end(), 0));
    std::vector<float> mine(in, in + n);
#pragma omp critical
    all[0] += mine[n / 2];
  }
  out[0] = static_cast<float>(all[0]);
}

// Threads that take turns. Who holds a lock is a matter of chance; that somebody does allocates nothing.
// HELD accumulate n=100,threads=4 --bounds 800..85456
// HELD accumulate n=7,threads=1 --bounds 56..968
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

// Regions in all their forms. Sections, a clause that forbids the region, a region in a region, a number of threads set
// by the program.
// HELD regions n=100,threads=3 n=8,threads=2 --bounds 0..none --because thread_order
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

// OpenMP tasks. As many at a time as there are threads, beside the one that makes them, until it waits for them.
// HELD sums n=100,threads=3 --bounds 202000..3359760
// HELD sums n=1000,threads=2 --bounds 20020000..22208096
// HELD sums n=4,threads=8 --bounds 400..8406256
static double sum_in_tasks(const float *in, int n) {
  std::vector<double> copy(in, in + n);
  if (n < 8)
    return copy[0];
  double left, right;
#pragma omp task shared(left)
  left = sum_in_tasks(in, n / 2);
#pragma omp task shared(right)
  right = sum_in_tasks(in + n / 2, n - n / 2);
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
    out[0] = static_cast<float>(sum_in_tasks(in, n));
  }
}

// A region in a std::thread. The run-time library makes a team anew for each thread of the program; that is in the
// bounds.
// HELD inside n=1000,threads=3 --bounds 4032..1120000
MEMSHAPE_OPERATOR
void inside(const float *in, int n, int threads, float *out) {
  std::thread([=] {
#pragma omp parallel num_threads(threads)
    {
      float *copy = (float *)malloc(n * sizeof(float));
      for (int i = 0; i < n; ++i)
        copy[i] = in[i];
#pragma omp barrier
#pragma omp critical
      out[0] += copy[n / 2];
      free(copy);
    }
  }).join();
}

// Thread-local variables in threads. A team's threads live on and keep theirs for the next call; a std::thread takes
// its own along when it ends. The first thread keeps its own from call to call: what it finds depends on the shapes of
// earlier calls.
// HELD use n=1000,threads=2 n=10,threads=4 --bounds 0..none --because earlier_calls
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
