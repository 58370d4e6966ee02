/* Device memory and lookups from several threads.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   threads PAIRS: each thread makes and frees so many blocks, through the linked function and through one that it looks
   up each time. Prints the processor time of a pair, ns. */

#define _GNU_SOURCE
#include "cuda_names.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { Threads = 4 };
static long Pairs = 1000;
static int Failed;

static void *work(void *looksUp) {
  for (long i = 0; i < Pairs; ++i) {
    int (*make)(void **, size_t) = cudaMalloc;
    void *block;
    if (looksUp)
      *(void **)&make = dlsym(RTLD_DEFAULT, "cudaMalloc");
    if (!make || make(&block, 256) != cudaSuccess || cudaFree(block) != cudaSuccess)
      __atomic_store_n(&Failed, 1, __ATOMIC_RELAXED);
  }
  return NULL;
}

static void all(void *looksUp) {
  pthread_t threads[Threads];
  for (int i = 0; i < Threads; ++i)
    pthread_create(&threads[i], NULL, work, looksUp);
  for (int i = 0; i < Threads; ++i)
    pthread_join(threads[i], NULL);
}

int main(int count, char **words) {
  struct timespec before, after;
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0)
    return 77;
  Pairs = count > 1 ? atol(words[1]) : Pairs;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &before);
  work(NULL);
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &after);
  all(NULL);
  all(words);
  printf("%.0f\n",
         ((double)(after.tv_sec - before.tv_sec) * 1e9 + (double)(after.tv_nsec - before.tv_nsec)) / (double)Pairs);
  return Failed;
}
