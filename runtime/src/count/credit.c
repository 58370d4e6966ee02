/* Counting without sharing.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/credit.h"
#include "count/calls.h"
#include "count/contention.h"
#include "count/sites.h"
#include "count/start.h"
#include "stacks/stacks.h"

#include <errno.h>
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

struct memshape_credits memshape_credits = {.gate = MEMSHAPE_CLOSED | MEMSHAPE_FENCED, .most = MEMSHAPE_CREDIT_MOST};

/* Closing the gate costs some microseconds. An operation under the lock costs some 50 ns more than one out of credit.
   So the gate opens after so many operations without a new maximum: twice as many after an opening that did not pay,
   half as many after one that did. */
enum { LeastQuiet = 256, MostQuiet = 1 << 20, PaysFrom = 4096 };
static uint32_t QuietBeforeOpening = LeastQuiet;
static uint64_t OperationsAtOpening;

/* Under an operator call that grows and shrinks, threads that meet at the peak are stopped each time. When that happens
   too often, they count under the lock for a while. */
enum { LeastRest = 64, MostRest = 8192, RestsBelow = 512 };
static uint32_t Rest, RestNext = LeastRest;

/* Successive raises by one thread after which it counts under the lock; returns to a full pool after which threads get
   more credit. */
enum { RaisesAlone = 64, FarReturns = 1024 };

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
  memshape_contention_start();
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
    line->most_credit = memshape_credits.most;
    __atomic_store_n(&LineTaken[i], 1, __ATOMIC_RELEASE);
    uint32_t taken = __atomic_add_fetch(&TakenCount, 1, __ATOMIC_ACQ_REL);
    if (memshape_runtime.header->slack < (int64_t)taken * memshape_credits.most)
      memshape_runtime.header->slack = (int64_t)taken * memshape_credits.most; /* as many at the same time, at most */
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
    __atomic_fetch_add(&memshape_credits.pool, 2 * (uint64_t)line->credit, __ATOMIC_ACQ_REL);
    line->credit = 0;
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

/* Returns how often the core was given up. */
static unsigned waitForOthers(const struct memshape_thread *self) {
  unsigned spins = 0;
  if (memshape_credits.gate & MEMSHAPE_FENCED)
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  else
    membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED);
  for (uint32_t i = 1; i < LineEnd; ++i)
    while (isTaken(i) && &memshape_runtime.header->threads[i] != self->line &&
           __atomic_load_n(&memshape_runtime.header->threads[i].busy, __ATOMIC_ACQUIRE) == MEMSHAPE_INSIDE)
      if (++spins % MEMSHAPE_SPINS)
        memshape_pause();
      else
        sched_yield();
  return spins / MEMSHAPE_SPINS;
}

/* The limit was raised to an upper bound of live. A lower bound is what is live now. For the process, whose sites are
   not asked for, another one is the limit minus the most credit that threads can keep. */
static void updatePeaksAfterRaises(struct memshape_record_header *header) {
  int64_t least = header->live;
  if (memshape_credits.most_pool == INT64_MAX && header->limit - header->slack > least)
    least = header->limit - header->slack;
  if (least > header->peak)
    header->peak = least;
  if (header->limit > header->peak_most)
    header->peak_most = header->limit;
  for (struct memshape_frame *window = memshape_runtime.windows; window; window = window->next) {
    if (header->limit > window->may)
      window->may = header->limit;
    if (header->live > window->most) {
      window->most = header->live;
      window->stale = 1;
    }
  }
  if (memshape_credits.most_pool == INT64_MAX)
    return;
  if (operations() - OperationsAtOpening >= RestsBelow) {
    RestNext = RestNext > 2 * LeastRest ? RestNext / 2 : LeastRest;
  } else {
    Rest = RestNext;
    RestNext = RestNext < MostRest ? 2 * RestNext : MostRest;
  }
}

unsigned memshape_credits_close(struct memshape_thread *self, int alone) {
  struct memshape_record_header *header = memshape_runtime.header;
  unsigned yields = 0;
  if (memshape_is_closed())
    return 0;
  __atomic_fetch_or(&memshape_credits.gate, MEMSHAPE_CLOSED, __ATOMIC_SEQ_CST);
  if (!alone)
    yields = waitForOthers(self);
  uint64_t pool = __atomic_load_n(&memshape_credits.pool, __ATOMIC_ACQUIRE);
  int64_t unused = (int64_t)(pool >> 1);
  for (uint32_t i = 1; i < LineEnd; ++i) {
    unused += header->threads[i].credit;
    __atomic_store_n(&header->threads[i].credit, 0, __ATOMIC_RELAXED);
  }
  header->live = header->limit - unused;
  if (pool & 1)
    updatePeaksAfterRaises(header);
  memshape_credits.is_shared = memshape_credits.may_raise = 0;
  memshape_credits.most = MEMSHAPE_CREDIT_MOST;
  return yields;
}

void memshape_credits_exhausted(void) {
  if (memshape_credits.raised_in_a_row >= RaisesAlone) {
    memshape_contention_forget();
    memshape_credits.raised_in_a_row = 0;
  }
  if (operations() - OperationsAtOpening >= PaysFrom)
    QuietBeforeOpening = QuietBeforeOpening > 2 * LeastQuiet ? QuietBeforeOpening / 2 : LeastQuiet;
  else
    QuietBeforeOpening = QuietBeforeOpening < MostQuiet ? 2 * QuietBeforeOpening : MostQuiet;
}

/* The copy of a call's sites needs the gate closed until it is made. A thread that is alone makes the copy with its
   next operation anyway. */
static int windowsAreSettled(int alone) {
  for (struct memshape_frame *window = memshape_runtime.windows; window; window = window->next)
    if (window->stale) {
      if (alone)
        return 0;
      memshape_window_settle(window);
    }
  return 1;
}

/* Shares `free` bytes out to the threads. `met`: they may have met at the peak before. */
static void openForAll(struct memshape_record_header *header, int64_t free, int met) {
  int64_t threads = __atomic_load_n(&TakenCount, __ATOMIC_ACQUIRE), most = MEMSHAPE_CREDIT_MOST;
  int watched = memshape_runtime.windows || memshape_kernel.watching;
  int64_t near = watched ? MEMSHAPE_CREDIT_WATCHED : MEMSHAPE_CREDIT_NEAR;
  if (met) {
    most = free / (4 * threads);
    most = most < near ? near : most < MEMSHAPE_CREDIT_MOST ? most : MEMSHAPE_CREDIT_MOST;
  }
  memshape_credits.is_shared = 1;
  memshape_credits.may_raise = most == near;
  memshape_credits.most = most;
  memshape_credits.most_pool = watched ? threads * MEMSHAPE_CREDIT_WATCHED : INT64_MAX;
  memshape_credits.far = threads * MEMSHAPE_CREDIT_MOST;
  __atomic_store_n(&memshape_credits.far_returns, 0, __ATOMIC_RELAXED); /* asked for outside a line too */
  header->slack = threads * most;
  for (uint32_t i = 1; i < LineEnd; ++i)
    header->threads[i].most_credit = most;
  OperationsAtOpening = operations();
}

void memshape_credits_open(struct memshape_thread *self, int alone, uint32_t quiet) {
  struct memshape_record_header *header = memshape_runtime.header;
  int met = !alone && memshape_contention_found();
  if (met && Rest) {
    --Rest;
    met = 0;
    quiet = 0;
  }
  if (memshape_stacks || (!alone && !met && quiet < QuietBeforeOpening) || memshape_kernel_at_peak(header) ||
      !windowsAreSettled(alone))
    return;
  int64_t limit = header->peak;
  for (struct memshape_frame *window = memshape_runtime.windows; window; window = window->next)
    if (window->most < limit)
      limit = window->most;
  header->limit = limit;
  int64_t free = limit - header->live;
  if (alone && self->line) {
    self->line->credit = free;
    self->line->most_credit = INT64_MAX;
    free = 0;
  } else {
    openForAll(header, free, met);
  }
  __atomic_store_n(&memshape_credits.pool, 2 * (uint64_t)free, __ATOMIC_RELEASE);
  __atomic_fetch_add(&memshape_credits.openings, 1, __ATOMIC_RELEASE);
  __atomic_fetch_and(&memshape_credits.gate, ~(uint32_t)MEMSHAPE_CLOSED, __ATOMIC_RELEASE);
}

/*===-- Inside a line -----------------------------------------------------===*/

/* Fetches credit for `bytes` from the pool, and some for the next operations. */
static int fetch(struct memshape_record_thread *line, int64_t bytes) {
  int64_t missing = bytes - line->credit, taken;
  uint64_t pool = __atomic_load_n(&memshape_credits.pool, __ATOMIC_RELAXED);
  do {
    int64_t left = (int64_t)(pool >> 1) - missing;
    if (left < 0)
      return 0;
    taken = missing + (left / 8 < line->most_credit / 4 ? left / 8 : line->most_credit / 4);
  } while (!__atomic_compare_exchange_n(&memshape_credits.pool, &pool, pool - 2 * (uint64_t)taken, 1, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED));
  line->credit += taken;
  return 1;
}

/* Raises the peak. Only a thread that counts alone may do so: live is limit - credit, and the limit is the peak. */
static int raiseAlone(struct memshape_record_thread *line, int64_t bytes) {
  int64_t missing = bytes - line->credit;
  if (!memshape_single_threaded() || memshape_runtime.windows || line->most_credit != INT64_MAX)
    return 0;
  memshape_runtime.header->peak += missing;
  memshape_runtime.header->limit += missing;
  line->credit = bytes;
  return 1;
}

/* A thread that raises the limit again and again, with no other in between, is better off under the lock: exact, and
   nearly as fast. */
static int raisesAlone(const struct memshape_record_thread *line) {
  uint32_t index = indexOf(line);
  if (__atomic_load_n(&memshape_credits.raiser, __ATOMIC_RELAXED) != index) {
    __atomic_store_n(&memshape_credits.raiser, index, __ATOMIC_RELAXED);
    __atomic_store_n(&memshape_credits.raised_in_a_row, 0, __ATOMIC_RELAXED);
  }
  uint32_t row = __atomic_load_n(&memshape_credits.raised_in_a_row, __ATOMIC_RELAXED);
  if (__atomic_load_n(&TakenCount, __ATOMIC_RELAXED) == 1)
    row = RaisesAlone;
  else if (row < RaisesAlone)
    ++row;
  __atomic_store_n(&memshape_credits.raised_in_a_row, row, __ATOMIC_RELAXED);
  return row >= RaisesAlone;
}

/* Raises the limit. The same atomic word says that the pool is empty and that the limit was raised, because threads
   that return credit must know. */
static int raiseTogether(struct memshape_record_thread *line, int64_t bytes) {
  int64_t missing = bytes - line->credit, more = line->most_credit / 4;
  if (!memshape_credits.may_raise || raisesAlone(line))
    return 0;
  int64_t taken = (int64_t)(__atomic_exchange_n(&memshape_credits.pool, 1, __ATOMIC_ACQ_REL) >> 1);
  if (taken > missing + more) { /* another thread has filled the pool meanwhile */
    __atomic_fetch_add(&memshape_credits.pool, 2 * (uint64_t)(taken - missing), __ATOMIC_ACQ_REL);
    taken = missing;
  } else {
    __atomic_fetch_add(&memshape_runtime.header->limit, missing + more - taken, __ATOMIC_ACQ_REL);
    taken = missing + more;
  }
  line->credit += taken;
  return 1;
}

/* Returns the credit that would be too much after `freed` more bytes. */
static int returnCredit(struct memshape_record_thread *line, int64_t freed) {
  int64_t kept = line->most_credit / 2, returned = line->credit + freed - kept, sum;
  uint64_t pool = __atomic_load_n(&memshape_credits.pool, __ATOMIC_RELAXED);
  do {
    sum = (int64_t)(pool >> 1) + returned;
    if ((pool & 1) && sum > memshape_credits.most_pool)
      return 0;
  } while (!__atomic_compare_exchange_n(&memshape_credits.pool, &pool, pool + 2 * (uint64_t)returned, 1,
                                        __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  line->credit = kept - freed; /* below 0 only until the change follows */
  if (memshape_credits.may_raise && sum > memshape_credits.far)
    __atomic_store_n(&memshape_credits.far_returns,
                     __atomic_load_n(&memshape_credits.far_returns, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
  return 1;
}

int memshape_credit_fit(struct memshape_record_thread *line, int64_t delta) {
  if (delta <= 0)
    return line->credit - delta <= line->most_credit || returnCredit(line, -delta);
  return line->credit >= delta || raiseAlone(line, delta) || fetch(line, delta) || raiseTogether(line, delta);
}

int memshape_credits_are_far(void) {
  return __atomic_load_n(&memshape_credits.far_returns, __ATOMIC_RELAXED) >= FarReturns;
}
