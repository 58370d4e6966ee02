// pthread_create.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As with std::thread; a thread's function is called with what it is given.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=1000,threads=3 --bounds 8072..24072 -- 1000 3
// RUN: %compare %t --shape n=1000,threads=1 -- 1000 1

#include "../Inputs/twice.h"
#include <pthread.h>

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

TWICE(spread(data, number(1), number(2), more))
