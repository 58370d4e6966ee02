/* Programs that do nothing but allocate.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   hook_overhead_work pairs THREADS COUNT      each thread: COUNT blocks of 64 bytes, each freed at once
   hook_overhead_work blocks COUNT             COUNT blocks of 48 bytes, then all are freed
   hook_overhead_work threads THREADS COUNT    each thread holds 64 blocks of 16 to 2,000 bytes, writes each,
                                               and replaces one at random, COUNT times

   Prints pairs of malloc and free, their processor time and wall time in ns, and the resident peak in bytes.
   bench/hook_overhead runs it under each tool. */

#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MostThreads = 1024, HeldBlocks = 64 };

static long Count;

static void *pairs(void *unused) {
  for (long i = 0; i < Count; ++i) {
    void *block = malloc(64);
    __asm__ volatile("" : "+r"(block) : : "memory");
    free(block);
  }
  return NULL;
}

static void blocks(void) {
  void **all = malloc((size_t)Count * sizeof *all);
  if (!all)
    abort();
  for (long i = 0; i < Count; ++i) {
    all[i] = malloc(48);
    memset(all[i], 1, 48);
  }
  for (long i = 0; i < Count; ++i)
    free(all[i]);
  free(all);
}

static void *replaceBlocks(void *seed) {
  void *held[HeldBlocks] = {NULL};
  uint64_t random = (uint64_t)(uintptr_t)seed * 0x9e3779b97f4a7c15u;
  for (long i = 0; i < Count; ++i) {
    random ^= random << 13;
    random ^= random >> 7;
    random ^= random << 17;
    void **place = &held[random % HeldBlocks];
    size_t bytes = 16 + random / HeldBlocks % 1985;
    free(*place);
    *place = malloc(bytes);
    memset(*place, 1, bytes);
  }
  for (int i = 0; i < HeldBlocks; ++i)
    free(held[i]);
  return NULL;
}

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static void inThreads(int count, void *(*work)(void *)) {
  pthread_t threads[MostThreads];
  if (count == 1) {
    work((void *)1);
    return;
  }
  for (int i = 0; i < count; ++i)
    if (pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)(i + 1)) != 0)
      abort();
  for (int i = 0; i < count; ++i)
    pthread_join(threads[i], NULL);
}

/* In bytes. getrusage would tell of the tool that started this program, too. */
static long residentPeak(void) {
  char line[256];
  long kibibytes = 0;
  FILE *status = fopen("/proc/self/status", "r");
  while (status && fgets(line, sizeof line, status) && sscanf(line, "VmHWM: %ld", &kibibytes) != 1)
    ;
  if (status)
    fclose(status);
  return kibibytes * 1024;
}

int main(int count, char **arguments) {
  const char *what = count > 1 ? arguments[1] : "";
  int threads = count == 4 ? atoi(arguments[2]) : 1;
  Count = count > 2 ? atol(arguments[count - 1]) : 0;
  if (Count <= 0 || threads < 1 || threads > MostThreads)
    return 2;
  double processor = now(CLOCK_PROCESS_CPUTIME_ID), wall = now(CLOCK_MONOTONIC);
  if (strcmp(what, "pairs") == 0)
    inThreads(threads, pairs);
  else if (strcmp(what, "blocks") == 0)
    blocks();
  else if (strcmp(what, "threads") == 0)
    inThreads(threads, replaceBlocks);
  else
    return 2;
  processor = now(CLOCK_PROCESS_CPUTIME_ID) - processor;
  wall = now(CLOCK_MONOTONIC) - wall;
  printf("%ld %.0f %.0f %ld\n", Count * threads, processor, wall, residentPeak());
  return 0;
}
