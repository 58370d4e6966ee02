/*===- credit.c - Counting without sharing --------------------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "credit.h"
#include "calls.h"
#include "sites.h"
#include "start.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

struct memshape_credits memshape_credits = {.gate = MEMSHAPE_CLOSED | MEMSHAPE_FENCED};

/* A close costs some microseconds, an operation under the lock some 50 ns more than one out of credit. So the gate
   opens after so many operations without a new maximum; twice as many after an opening that did not pay, half as many
   after one that did. */
enum { LeastPatience = 256, MostPatience = 1 << 20, PaysFrom = 4096 };
static uint32_t Patience = LeastPatience;
static uint64_t OperationsAtOpening;

/* Lines in use; 0 is never given to a thread. */
static uint8_t LineTaken[MEMSHAPE_RECORD_THREADS];
static uint32_t TakenCount, LineEnd = 1;

static long membarrier(int command) {
  int saved = errno;
  long status = syscall(SYS_membarrier, command, 0, 0);
  errno = saved;
  return status;
}

void memshape_credits_start(void) {
  if (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) == 0)
    memshape_credits.gate = MEMSHAPE_CLOSED;
}

uint32_t memshape_lines(void) { return LineEnd; }

static uint32_t indexOf(const struct memshape_record_thread *line) {
  return (uint32_t)(line - memshape_runtime.header->threads);
}

static int isTaken(uint32_t i) { return __atomic_load_n(&LineTaken[i], __ATOMIC_ACQUIRE); }

void memshape_line_claim(struct memshape_thread *self) {
  for (uint32_t i = 1; i < MEMSHAPE_RECORD_THREADS; ++i) {
    if (isTaken(i))
      continue;
    struct memshape_record_thread *line = &memshape_runtime.header->threads[i];
    __atomic_store_n(&line->busy, MEMSHAPE_IN_SECTION, __ATOMIC_RELAXED);
    line->credit = 0;
    line->most_credit = MEMSHAPE_CREDIT_MOST;
    __atomic_store_n(&LineTaken[i], 1, __ATOMIC_RELEASE);
    __atomic_fetch_add(&TakenCount, 1, __ATOMIC_ACQ_REL);
    if (i >= LineEnd)
      LineEnd = i + 1;
    self->sites = &memshape_site_changes[i];
    self->line = line;
    memshape_watch_thread_end();
    return;
  }
}

void memshape_line_give(struct memshape_thread *self) {
  struct memshape_record_thread *line = self->line;
  if (!line)
    return;
  if (memshape_enter_line(line)) {
    line->most_credit = -1; /* bring back everything */
    memshape_credit_return(line);
    memshape_leave_line(self, line);
  } /* else credits are collected, or this is a handler amid counting: the line is lost for others */
  else if (line->busy != MEMSHAPE_OUTSIDE)
    return;
  self->line = NULL;
  __atomic_store_n(&LineTaken[indexOf(line)], 0, __ATOMIC_RELEASE);
  __atomic_fetch_sub(&TakenCount, 1, __ATOMIC_ACQ_REL);
}

void memshape_lines_forked(void) {
  for (uint32_t i = 0; i < LineEnd; ++i)
    LineTaken[i] = 0;
  TakenCount = 0;
  LineEnd = 1;
}

int memshape_credits_alone(const struct memshape_thread *self) {
  return __atomic_load_n(&TakenCount, __ATOMIC_ACQUIRE) == (self->line != NULL);
}

static uint64_t operations(void) {
  struct memshape_record_counts counts = memshape_counts();
  return counts.allocations + counts.reallocations + counts.frees;
}

static void waitForOthers(const struct memshape_thread *self) {
  unsigned spins = 0;
  if (memshape_credits.gate & MEMSHAPE_FENCED)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  else
    membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  for (uint32_t i = 1; i < LineEnd; ++i)
    while (isTaken(i) && &memshape_runtime.header->threads[i] != self->line &&
           __atomic_load_n(&memshape_runtime.header->threads[i].busy, __ATOMIC_ACQUIRE) == MEMSHAPE_INSIDE)
      if (++spins % 128)
        memshape_pause();
      else
        sched_yield();
}

void memshape_credits_close(struct memshape_thread *self, int alone) {
  if (memshape_is_closed())
    return;
  __atomic_fetch_or(&memshape_credits.gate, MEMSHAPE_CLOSED, __ATOMIC_SEQ_CST);
  if (!alone)
    waitForOthers(self);
  int64_t unused = __atomic_load_n(&memshape_credits.pool, __ATOMIC_ACQUIRE);
  for (uint32_t i = 1; i < LineEnd; ++i) {
    unused += memshape_runtime.header->threads[i].credit;
    __atomic_store_n(&memshape_runtime.header->threads[i].credit, 0, __ATOMIC_RELAXED);
  }
  memshape_runtime.header->live = memshape_credits.limit - unused;
}

void memshape_credits_exhausted(void) {
  if (operations() - OperationsAtOpening >= PaysFrom)
    Patience = Patience > 2 * LeastPatience ? Patience / 2 : LeastPatience;
  else
    Patience = Patience < MostPatience ? 2 * Patience : MostPatience;
}

/* A call whose sites are yet to be copied needs the gate closed until then. Alone, that is left to the next operation
   that makes the copy anyway. */
static int areSettled(int alone) {
  for (struct memshape_frame *window = memshape_runtime.windows; window; window = window->next)
    if (window->stale) {
      if (alone)
        return 0;
      memshape_window_settle(window);
    }
  return 1;
}

void memshape_credits_open(struct memshape_thread *self, int alone, uint32_t quiet) {
  struct memshape_record_header *header = memshape_runtime.header;
  if ((!alone && quiet < Patience) || memshape_kernel_at_peak(header) || !areSettled(alone))
    return;
  int64_t limit = header->peak;
  for (struct memshape_frame *window = memshape_runtime.windows; window; window = window->next)
    if (window->most < limit)
      limit = window->most;
  memshape_credits.limit = limit;
  int64_t free = limit - header->live;
  if (alone && self->line) {
    self->line->credit = free;
    self->line->most_credit = INT64_MAX;
    free = 0;
  } else {
    for (uint32_t i = 1; i < LineEnd; ++i)
      header->threads[i].most_credit = MEMSHAPE_CREDIT_MOST;
  }
  if (!alone)
    OperationsAtOpening = operations();
  __atomic_store_n(&memshape_credits.pool, free, __ATOMIC_RELEASE);
  __atomic_fetch_and(&memshape_credits.gate, ~(uint32_t)MEMSHAPE_CLOSED, __ATOMIC_RELEASE);
}

int memshape_credit_fetch(struct memshape_record_thread *line, int64_t bytes) {
  int64_t missing = bytes - line->credit, pool = __atomic_load_n(&memshape_credits.pool, __ATOMIC_RELAXED), taken;
  do {
    if (pool < missing)
      return 0;
    taken = pool / 8 < MEMSHAPE_CREDIT_BATCH ? pool / 8 : MEMSHAPE_CREDIT_BATCH;
    if (taken < missing)
      taken = missing;
  } while (
      !__atomic_compare_exchange_n(&memshape_credits.pool, &pool, pool - taken, 1, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  line->credit += taken;
  return 1;
}

int memshape_credit_raise(struct memshape_record_thread *line, int64_t bytes) {
  int64_t missing = bytes - line->credit;
  if (!memshape_single_threaded() || memshape_runtime.windows || line->most_credit != INT64_MAX)
    return 0;
  memshape_runtime.header->peak += missing; /* live is limit - credit, and the limit is the peak */
  memshape_credits.limit += missing;
  line->credit = bytes;
  return 1;
}

MEMSHAPE_SELDOM void memshape_credit_return(struct memshape_record_thread *line) {
  int64_t kept = line->most_credit < 0 ? 0 : line->most_credit / 2, returned = line->credit - kept;
  line->credit = kept;
  __atomic_fetch_add(&memshape_credits.pool, returned, __ATOMIC_ACQ_REL);
}
