/* Threads that live at their program's peak.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   contention_work THREADS LEAST MOST PINNED: 8 million pairs of malloc and free in all, each of LEAST to MOST bytes,
   with nothing else on the heap. PINNED = 1 binds each thread to its own core: on a busy machine the scheduler may
   otherwise put all on one core, where they cannot meet. Prints the seconds that passed. */

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { AllPairs = 8000000, MostThreads = 1024 };

static size_t Least, Most;
static long Pairs, Cores;
static int Pinned;

static void *work(void *number) {
  if (Pinned) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET((size_t)((long)number % Cores), &one);
    pthread_setaffinity_np(pthread_self(), sizeof one, &one);
  }
  size_t bytes = Least;
  for (long pair = 0; pair < Pairs; ++pair) {
    void *block = malloc(bytes);
    __asm__ volatile("" : : "r"(block) : "memory");
    free(block);
    bytes = bytes == Most ? Least : bytes + 1;
  }
  return NULL;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int count, char **arguments) {
  static pthread_t threads[MostThreads];
  long wanted = count == 5 ? atol(arguments[1]) : 0;
  if (wanted < 1 || wanted > MostThreads)
    return 2;
  Least = (size_t)atol(arguments[2]);
  Most = (size_t)atol(arguments[3]);
  Pinned = atoi(arguments[4]);
  Cores = sysconf(_SC_NPROCESSORS_ONLN);
  Pairs = AllPairs / wanted;
  double start = seconds();
  for (long i = 0; i < wanted; ++i)
    if (pthread_create(&threads[i], NULL, work, (void *)i) != 0)
      return 1;
  for (long i = 0; i < wanted; ++i)
    pthread_join(threads[i], NULL);
  printf("%.6f\n", seconds() - start);
  return 0;
}
