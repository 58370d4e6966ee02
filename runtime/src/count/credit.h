/* Counting without sharing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The peak is the maximum of one sum over all threads, yet threads that share a counter cost each other 30 ns per
   operation. Most operations, though, cannot make a new peak: the sum is below it, and the difference can be given to
   the threads beforehand, as credit:

       live + pool + credit of thread 1 + credit of thread 2 + ... = limit,        pool >= 0, every credit >= 0

   where limit is the smallest of two: the process's peak, and the maxima that the operator calls in flight have seen. A
   thread allocates out of its credit and gains credit by freeing, without synchronisation. It fetches more from the
   pool and returns what it has too much. While that goes on, live <= limit, so no peak is missed. When credit and pool
   do not suffice, a new maximum is possible. Then all threads are stopped for a moment and credits are collected, so
   that live is known exactly. After that, operations take the lock until there has been no new maximum for a while.

       open    threads count in their own lines of the record, each inside its line's `busy`
       closed  the lock's holder counts; header->live is exact

   Closing: set the gate's bit, make every other thread see it (membarrier), wait until no thread is inside. A thread
   enters by setting `busy` and then reading the gate, without a fence: membarrier orders the two for it. Where the
   kernel has no membarrier, threads use a fence.

   Threads that meet at the peak (contention.h) would take the lock for ever. For them the limit is raised instead: no
   thread keeps more credit than MEMSHAPE_CREDIT_NEAR, and a thread that finds the pool empty raises the limit by what
   it needs. At that moment

       limit - (number of threads)   MEMSHAPE_CREDIT_NEAR <= live <= limit

   so the maximum is known to within 4 KiB per thread, and no thread was stopped. An operator call needs what each site
   held at its peak as well, and for that all threads must stop. With calls in flight credits are half as large. Once
   the limit was raised, live may fall by 2 KiB per thread (which the pool may hold) before threads are stopped and
   looked at. What is seen then is recorded as the call's peak; the true one is at most 2 + 2 KiB per thread higher. The
   limit at that time is kept beside each peak (`peak_most` in the record, `may` of a call). Below the limit nothing is
   missed, so a later peak under the lock that is above it is exact again. */

#pragma once

#include "count/count.h"

enum { MEMSHAPE_CLOSED = 1, MEMSHAPE_FENCED = 2 };

/* A line's `busy`. */
enum { MEMSHAPE_OUTSIDE = 0, MEMSHAPE_INSIDE = 1, MEMSHAPE_IN_SECTION = 2 };

/* The most credit that a thread keeps: far from a peak; where threads meet at one; the same under an operator call. */
enum { MEMSHAPE_CREDIT_MOST = 256 * 1024, MEMSHAPE_CREDIT_NEAR = 4096, MEMSHAPE_CREDIT_WATCHED = 2048 };

struct memshape_credits {
  uint32_t gate; /* MEMSHAPE_CLOSED; MEMSHAPE_FENCED where there is no membarrier and entering needs a fence */
  /* These change while the gate is closed. */
  uint32_t openings; /* so far; changes at any time */
  int is_shared;     /* opened for several threads: a new thread gets a line without closing */
  int may_raise;     /* a thread that finds the pool empty may raise the limit */
  int64_t most;      /* credit that a thread keeps */
  int64_t most_pool; /* most bytes in the pool once the limit was raised; above, threads must be stopped and looked
                        at */
  int64_t far;       /* bytes in the pool from which on threads should keep more */
  /* On a cache line of its own, because threads change it at any time. */
  _Alignas(64) uint64_t pool; /* bytes << 1 | whether the limit was raised */
  uint32_t raiser;            /* the line that last raised the limit */
  uint32_t raised_in_a_row;   /* raises by that line without another in between; approximate */
  uint32_t far_returns;       /* returns to a pool above `far`; approximate */
};
extern struct memshape_credits memshape_credits;

/* Before the program has threads: asks the kernel for its barrier. */
void memshape_credits_start(void);

/* Stops all threads' own counting and collects their credits; header->live is exact afterwards. Under the lock. Returns
   how often the core was given up for that. */
unsigned memshape_credits_close(struct memshape_thread *self, int alone);
/* Reports that the close was needed for want of credit: the gate then stays closed for longer. */
void memshape_credits_exhausted(void);
/* Opens the gate if that pays. `quiet`: operations under the lock since the last new maximum. */
void memshape_credits_open(struct memshape_thread *self, int alone, uint32_t quiet);
/* Whether no other thread counts, nor will before it has held the lock. */
int memshape_credits_alone(const struct memshape_thread *self);

/* Gives the calling thread a line of the record, or none if all are taken. Under the lock. */
void memshape_line_claim(struct memshape_thread *self);
/* Frees the line. Called by its thread, at any time. */
void memshape_line_give(struct memshape_thread *self);
/* Lines from here on have never been used. */
uint32_t memshape_lines(void);
void memshape_lines_forked(void);

/* Fits the line's credit to a change of live by `delta`, which must follow. Takes from the pool, returns to it, makes a
   new maximum where no other thread or call is concerned, or raises the limit. 0: the change needs the lock. Inside. */
int memshape_credit_fit(struct memshape_record_thread *line, int64_t delta);
/* Whether threads should be stopped once to be given more credit each. */
int memshape_credits_are_far(void);

/* 0: the gate is closed, or this thread was interrupted while it was counting. */
static inline int memshape_enter_line(struct memshape_record_thread *line) {
  if (__builtin_expect(!line || line->busy != MEMSHAPE_OUTSIDE, 0))
    return 0;
  __atomic_store_n(&line->busy, MEMSHAPE_INSIDE, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  uint32_t gate = __atomic_load_n(&memshape_credits.gate, __ATOMIC_ACQUIRE);
  if (__builtin_expect(gate == 0, 1))
    return 1;
  if (gate == MEMSHAPE_FENCED) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (__atomic_load_n(&memshape_credits.gate, __ATOMIC_ACQUIRE) == MEMSHAPE_FENCED)
      return 1;
  }
  __atomic_store_n(&line->busy, MEMSHAPE_OUTSIDE, __ATOMIC_RELEASE);
  return 0;
}

static inline int memshape_is_closed(void) {
  return (__atomic_load_n(&memshape_credits.gate, __ATOMIC_RELAXED) & MEMSHAPE_CLOSED) != 0;
}

static inline void memshape_leave_line(struct memshape_thread *self, struct memshape_record_thread *line) {
  __atomic_store_n(&line->busy, MEMSHAPE_OUTSIDE, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(self->deferred_count != 0, 0))
    memshape_apply_deferred(self);
}
