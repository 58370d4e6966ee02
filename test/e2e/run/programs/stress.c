/* A counting allocator beside the runtime's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   stress THREADS OPERATIONS SEED growing|bounded [sites]

   Threads allocate, resize and free at random, blocks of each other too, and count beside it what they ask for. Totals,
   counts and what stays are added up per thread, hence exact. The live sum is kept twice, in shared counters: `certain`
   grows after an allocation has returned and shrinks before a free is called, `possible` the other way round. So what
   the runtime counts inside those calls lies between the two at every moment, and so does its maximum.

     bounded  the peak lies between the two maxima, which are a few blocks apart
     growing  afterwards all threads only allocate, beyond every possible maximum, and meet: the peak is known

   Prints certain maximum, possible maximum, total, allocations, reallocations, frees, live. */

#define _GNU_SOURCE
#include "instrumented.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { Held = 512, Exchanged = 256, MostThreads = 256 };

struct block {
  void *at;
  size_t bytes;
};

struct worker {
  pthread_t thread;
  uint64_t random;
  uint64_t total, allocations, reallocations, frees;
  int64_t left;
  struct block held[Held];
} __attribute__((aligned(64)));

static struct worker Workers[MostThreads];
static pthread_barrier_t Together;
static long Operations;
static int ThreadCount, IsGrowing, WithSites;

static _Alignas(64) _Atomic int64_t Certain;
static _Alignas(64) _Atomic int64_t CertainMost;
static _Alignas(64) _Atomic int64_t Possible;
static _Alignas(64) _Atomic int64_t PossibleMost;

/* Blocks on their way from one thread to another. */
static struct {
  _Alignas(64) atomic_flag taken;
  struct block block;
} Exchange[Exchanged];

static uint64_t next(struct worker *w) {
  w->random ^= w->random << 13;
  w->random ^= w->random >> 7;
  w->random ^= w->random << 17;
  return w->random >> 11;
}

static void raise(_Atomic int64_t *sum, _Atomic int64_t *most, int64_t bytes) {
  int64_t now = atomic_fetch_add(sum, bytes) + bytes, before = atomic_load(most);
  while (now > before && !atomic_compare_exchange_weak(most, &before, now))
    ;
}

/* Mostly small, now and then long or none. */
static size_t someSize(struct worker *w) {
  uint64_t r = next(w);
  return r % 64 == 0 ? r / 64 % 200000 : r % 8 == 0 ? r / 8 % 4000 : r / 8 % 200;
}

static void site(struct worker *w) {
  if (!WithSites)
    return;
  switch (next(w) % 4) {
  case 0: SITE; break;
  case 1: SITE; break;
  case 2: SITE; break;
  }
}

static struct block allocate(struct worker *w, size_t bytes) {
  struct block made = {NULL, bytes};
  raise(&Possible, &PossibleMost, (int64_t)bytes);
  site(w);
  switch (next(w) % 5) {
  case 0: made.at = calloc(1, bytes); break;
  case 1:
    if (posix_memalign(&made.at, 64, bytes) != 0)
      made.at = NULL;
    break;
  default: made.at = malloc(bytes);
  }
  if (!made.at)
    abort();
  raise(&Certain, &CertainMost, (int64_t)bytes);
  w->total += bytes;
  ++w->allocations;
  w->left += (int64_t)bytes;
  return made;
}

static void release(struct worker *w, struct block *block) {
  atomic_fetch_sub(&Certain, (int64_t)block->bytes);
  free(block->at);
  atomic_fetch_sub(&Possible, (int64_t)block->bytes);
  ++w->frees;
  w->left -= (int64_t)block->bytes;
  block->at = NULL;
}

/* At least one byte: to none is a free. */
static void resize(struct worker *w, struct block *block) {
  size_t bytes = someSize(w) + 1;
  int64_t change = (int64_t)bytes - (int64_t)block->bytes;
  if (change > 0)
    raise(&Possible, &PossibleMost, change);
  else
    atomic_fetch_add(&Certain, change);
  site(w);
  block->at = realloc(block->at, bytes);
  if (!block->at)
    abort();
  if (change > 0)
    raise(&Certain, &CertainMost, change);
  else
    atomic_fetch_add(&Possible, change);
  block->bytes = bytes;
  w->total += bytes;
  ++w->reallocations;
  w->left += change;
}

static void swapWithOthers(struct worker *w, struct block *mine) {
  uint64_t which = next(w) % Exchanged;
  if (atomic_flag_test_and_set(&Exchange[which].taken))
    return;
  struct block theirs = Exchange[which].block;
  Exchange[which].block = *mine;
  *mine = theirs;
  atomic_flag_clear(&Exchange[which].taken);
}

static void grow(struct worker *w) {
  pthread_barrier_wait(&Together);
  int64_t goal = atomic_load(&PossibleMost) + 1000000;
  pthread_barrier_wait(&Together);
  while (atomic_load(&Certain) < goal)
    (void)allocate(w, 1000 + next(w) % 100); /* stays */
  pthread_barrier_wait(&Together);
}

static void *work(void *argument) {
  struct worker *w = argument;
  for (long i = 0; i < Operations; ++i) {
    struct block *block = &w->held[next(w) % Held];
    uint64_t what = next(w) % 16;
    if (!block->at)
      *block = allocate(w, someSize(w));
    else if (what < 2)
      resize(w, block);
    else if (what < 4)
      swapWithOthers(w, block);
    else
      release(w, block);
  }
  if (IsGrowing)
    grow(w);
  return NULL;
}

int main(int count, char **arguments) {
  if (count < 5)
    return 2;
  ThreadCount = atoi(arguments[1]);
  Operations = atol(arguments[2]);
  IsGrowing = strcmp(arguments[4], "growing") == 0;
  WithSites = count > 5;
  pthread_barrier_init(&Together, NULL, (unsigned)ThreadCount);
  struct worker sum = {0};
  for (int i = 0; i < ThreadCount; ++i)
    Workers[i].random = (strtoull(arguments[3], NULL, 10) * 1000 + (uint64_t)i + 1) * 0x9e3779b97f4a7c15u;
  for (int i = 0; i < ThreadCount; ++i)
    pthread_create(&Workers[i].thread, NULL, work, &Workers[i]);
  for (int i = 0; i < ThreadCount; ++i) {
    pthread_join(Workers[i].thread, NULL);
    sum.total += Workers[i].total;
    sum.allocations += Workers[i].allocations;
    sum.reallocations += Workers[i].reallocations;
    sum.frees += Workers[i].frees;
    sum.left += Workers[i].left;
  }
  char line[256];
  int length = snprintf(line, sizeof line, "%ld %ld %lu %lu %lu %lu %ld\n", (long)CertainMost, (long)PossibleMost,
                        sum.total, sum.allocations, sum.reallocations, sum.frees, (long)sum.left);
  return fwrite(line, 1, (size_t)length, stderr) == 0; /* stdout would allocate a buffer */
}
