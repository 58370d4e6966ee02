/* Allocations that ask for memory to be freed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   While a reclaimer is set, every allocation is an attempt:

       memshape_attempt_begin(&attempt, bytes);        above the limit: asks for room first
       do
         block = allocate(bytes);
       while (!block && memshape_attempt_failed(&attempt));
       memshape_attempt_end(&attempt, bytes that came);

   A large allocation is part of the live bytes from its beginning on, so that several at once know of each other. Small
   ones are added up by each thread, and told when they make a batch. */

#pragma once

#include <memshape/reclaim.h>

struct memshape_trap {
  memshape_reclaimer *reclaimer; /* null: no allocation is watched */
  int64_t limit;                 /* of live bytes */
  int64_t live;
  int64_t quiet; /* nothing was left to free: not asked again before live is above this */
};
extern struct memshape_trap memshape_trap;

/* What this thread has allocated, less what it has freed, that is not in memshape_trap.live yet. */
extern _Thread_local int64_t memshape_trap_untold;

enum { MEMSHAPE_TRAP_BATCH = 1 << 16 };

struct memshape_attempt {
  size_t bytes;
  int64_t told;              /* bytes that are part of live already */
  memshape_reclaimer *asked; /* null: nobody was */
  int from_reserve;          /* it may be served from there, once it has failed */
};

static inline int memshape_trap_is_set(void) {
  return __builtin_expect(__atomic_load_n(&memshape_trap.reclaimer, __ATOMIC_RELAXED) != NULL, 0);
}

/* Live bytes begin at `live`, or go on where it is negative. A null reclaimer: allocations are no longer watched. */
void memshape_trap_set(memshape_reclaimer *reclaimer, int64_t limit, int64_t live);

void memshape_attempt_tell(struct memshape_attempt *attempt);
void memshape_attempt_untold(struct memshape_attempt *attempt, int64_t untold);
void memshape_attempt_close(const struct memshape_attempt *attempt);

static inline void memshape_attempt_begin(struct memshape_attempt *attempt, size_t bytes) {
  *attempt = (struct memshape_attempt){bytes, 0, NULL, 0};
  if (__builtin_expect(bytes >= MEMSHAPE_TRAP_BATCH, 0))
    memshape_attempt_tell(attempt);
}

/* After an allocation that has failed with ENOMEM. 1: try again. 0: it fails, errno is ENOMEM; with from_reserve, unless
   the reserve has room. */
int memshape_attempt_failed(struct memshape_attempt *attempt);

/* `came`: bytes that the program has more now; less, where it is negative. */
static inline void memshape_attempt_end(struct memshape_attempt *attempt, int64_t came) {
  int64_t untold = memshape_trap_untold + came - attempt->told;
  if (__builtin_expect(untold < MEMSHAPE_TRAP_BATCH && untold > -MEMSHAPE_TRAP_BATCH, 1))
    memshape_trap_untold = untold;
  else
    memshape_attempt_untold(attempt, untold);
  if (__builtin_expect(attempt->asked != NULL, 0))
    memshape_attempt_close(attempt);
}

/* The program has freed that much. */
void memshape_trap_tell(int64_t untold);
static inline void memshape_trap_freed(int64_t bytes) {
  int64_t untold = memshape_trap_untold - bytes;
  if (__builtin_expect(untold > -MEMSHAPE_TRAP_BATCH, 1))
    memshape_trap_untold = untold;
  else
    memshape_trap_tell(untold);
}
