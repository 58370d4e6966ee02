// Loops, jumps and checks in C.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=gnu11 -O2

#include "../Inputs/twice.h"
#include <pthread.h>
#include <setjmp.h>

// Loops that allocate the same in each turn. A workspace for each pair, one inside for each row, none that stays: the
// turns are counted, not run. What a turn keeps, or takes from its number, is run turn by turn.
// HELD turns pairs=30,rows=20,n=9 pairs=1,rows=1,n=5 pairs=0,rows=7,n=5 pairs=7,rows=0,n=5
// RUN: env MEMSHAPE_CACHE=off %predict --operator turns --shape pairs=2000000000,rows=1000000,n=100 | FileCheck --check-prefix=TURNS %s
// TURNS: exact
// TURNS: in 4,000,002,000,000,010 allocations
static void *kept[16];

MEMSHAPE_OPERATOR
void turns(const float *in, int pairs, int rows, int n, float *out) {
  for (int p = 0; p < pairs; ++p) {
    float *work = malloc(n * sizeof(float));
    memcpy(work, in, n * sizeof(float));
    for (int r = 0; r < rows; ++r) {
      float *row = malloc(n * sizeof(float)), *other = malloc(2 * n * sizeof(float));
      memcpy(row, work, n * sizeof(float));
      memcpy(other, in, n * sizeof(float));
      out[r % 16] = row[n / 2] + other[n / 3];
      free(other);
      free(row);
    }
    free(work);
  }
  /* 10 turns that leave something, and differ. */
  for (int k = 0; k < 10; ++k) {
    kept[k] = malloc(k + 1);
    memcpy(kept[k], in, k + 1);
  }
  for (int k = 0; k < 10; ++k)
    free(kept[k]);
}

// setjmp and longjmp inside. Shapes that do not jump are exact; one that does is replayed. Where data jumps there is no
// upper bound.
// HELD attempt n=10
// HELD attempt n=100 --bounds 0..none --because no_skeleton
// RUN: %memshape predict %t --operator attempt --shape n=100 --json | %says '"method": "replay"'
static jmp_buf out;

static void give_up(int code) { longjmp(out, code + 1); }

static double *build(const float *in, int n) {
  double *table = malloc(8 * (size_t)n);
  if (n > 50) {
    free(table);
    give_up(n);
  }
  table[0] = in[0];
  return table;
}

MEMSHAPE_OPERATOR
double attempt(const float *in, int n) {
  double *room = malloc(16 * (size_t)n), result;
  if (setjmp(out) == 0) {
    double *table = build(in, n);
    result = table[0];
    free(table);
  } else {
    float *small = calloc((size_t)n, 40);
    result = small[0];
    free(small);
  }
  room[0] = result;
  result += room[0];
  free(room);
  return result;
}

// What functions say of how they went. A function that stays one says whether it went well, as data have it, and its
// caller goes on only then. The run that is expected goes on: one that ends there would leave most of the memory out of
// the headline.
// HELD steps n=1000 --bounds 7932..12000
// RUN: %predict --operator steps --shape n=1000 --json | %says '"peak_bytes": 12000,' '"exact": false'
static int prepare(const float *in, long n, double *sum) {
  if (n < 8)
    return in[n] != 2.0f;
  float *copy = malloc(sizeof(float) * (size_t)n);
  for (long i = 0; i < n; ++i)
    copy[i] = in[n - 1 - i];
  const int well = prepare(in + n / 2, n / 2, sum);
  for (long i = 0; i < n; ++i)
    *sum += copy[(i * 7) % n];
  free(copy);
  return well;
}

MEMSHAPE_OPERATOR
double steps(const float *in, int n) {
  double sum = 0;
  if (!prepare(in, n, &sum))
    return 0;
  double *copy = malloc(12 * (size_t)n);
  for (long i = 0; i < n; ++i)
    copy[i] = in[n - 1 - i];
  for (long i = 0; i < n; ++i)
    sum += copy[(i * 3) % n];
  free(copy);
  return sum;
}

// A tensor that may be absent. A null pointer for a tensor decides about a buffer: no shape tells. A setting does.
// HELD weighted n=100 --bounds 400..1200
// HELD weighted n=7 --bounds 28..84
// HELD weighted n=100 --set weights.present=0
// RUN: %memshape predict %t --operator weighted --shape n=100 --set weights.present=1 | FileCheck --check-prefix=WEIGHTED %s --implicit-check-not "Decisions"
// WEIGHTED: weighted at n=100; weights.present=1
// WEIGHTED: peak heap {{.*}} 1,200 bytes exact
// WEIGHTED: formula 12*n
// RUN: %memshape predict %t --operator weighted --shape n=100 | %says "weights {{.*}} --set weights.present=0 or 1 says it"
MEMSHAPE_OPERATOR
float weighted(const float *in, const float *weights, int n) {
  float *copy = malloc(n * sizeof *copy);
  for (int i = 0; i < n; ++i)
    copy[i] = in[i];
  if (weights) {
    double *products = malloc(n * sizeof *products);
    for (int i = 0; i < n; ++i)
      products[i] = (double)copy[i] * weights[i];
    copy[0] = (float)products[n / 3];
    free(products);
  }
  float middle = copy[n / 2];
  free(copy);
  return middle;
}

TWICE_OF(weighted, sink = weighted(data, NULL, number(1)))

// Held symbols. The peak follows no law in ny and nz, which its formula holds at their values. The formula of the site
// holds them, too: no polynomial in them could be verified.
// HELD scrambled nx=31,ny=30,nz=62
// RUN: %predict --operator scrambled --shape nx=651,ny=951,nz=462 | FileCheck --check-prefix=SCRAMBLED %s
// SCRAMBLED: peak heap {{.*}} 1,089,789,624 bytes exact
// SCRAMBLED: formula 1674024*nx
// SCRAMBLED-NEXT: verified at 500 other shapes, for 1 <= nx <= 2000; ny = 951; nz = 462
// SCRAMBLED: At the peak
// SCRAMBLED-NEXT: 100.0 % {{.*}} scrambled 1674024*nx{{$}}
MEMSHAPE_OPERATOR
float scrambled(int nx, int ny, int nz) {
  size_t words = (size_t)ny * (size_t)nz;
  words ^= words >> 3;
  float *planes = (float *)malloc(words * (size_t)nx * sizeof(float));
  for (size_t at = 0; at < words * (size_t)nx; ++at)
    planes[at] = (float)at * 0.5f;
  float middle = planes[words / 2];
  free(planes);
  return middle;
}

// pthread_create. As with std::thread; a thread's function is called with what it is given.
// HELD spread n=1000,threads=3 --bounds 8072..25608
// HELD spread n=1000,threads=1 --bounds 8024..8536
struct job {
  const float *in;
  int n;
  float result;
};

static void *work(void *given) {
  struct job *job = (struct job *)given;
  double *copy = (double *)malloc(job->n * sizeof(double));
  for (int i = 0; i < job->n; ++i)
    copy[i] = job->in[i];
  job->result = (float)copy[job->n / 2];
  free(copy);
  return NULL;
}

MEMSHAPE_OPERATOR
void spread(const float *in, int n, int threads, float *out) {
  struct job *jobs = (struct job *)malloc(threads * sizeof(struct job));
  pthread_t *ids = (pthread_t *)malloc(threads * sizeof(pthread_t));
  for (int t = 0; t < threads; ++t) {
    jobs[t].in = in;
    jobs[t].n = n;
    pthread_create(&ids[t], NULL, work, &jobs[t]);
  }
  for (int t = 0; t < threads; ++t) {
    pthread_join(ids[t], NULL);
    out[t] = jobs[t].result;
  }
  free(ids);
  free(jobs);
}

// A thread that requests nothing, whose vector the C library requests none the less.
// HELD doubled n=1000 --bounds 0..512
static void *twice(void *given) {
  *(int *)given *= 2;
  return NULL;
}

MEMSHAPE_OPERATOR
void doubled(const float *in, int n, float *out) {
  int last = n - 1;
  pthread_t id;
  if (pthread_create(&id, NULL, twice, &last))
    return;
  pthread_join(id, NULL);
  out[0] = in[0] + last;
}
