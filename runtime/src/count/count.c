/* Live, peak, total: the sums over all threads.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/count.h"
#include "count/calls.h"
#include "count/contention.h"
#include "count/credit.h"
#include "count/heap.h"
#include "count/sites.h"
#include "stacks/stacks.h"

_Alignas(4096) struct memshape_runtime memshape_runtime;
_Static_assert(sizeof memshape_runtime == 4096, "a page, and no more");
_Thread_local struct memshape_thread memshape_self;

static uint32_t Quiet; /* operations under the lock since the last new maximum */

static void addCounts(struct memshape_record_thread *line, const struct memshape_change *change) {
  uint64_t *operations = change->kind == MEMSHAPE_ALLOCATION     ? &line->counts.allocations
                         : change->kind == MEMSHAPE_REALLOCATION ? &line->counts.reallocations
                                                                 : &line->counts.frees;
  line->counts.total += change->added;
  line->freed += change->removed;
  ++*operations;
}

/* In a section: header->live is exact, and operations have one order. Returns the site that the new block belongs to.
 */
static uint32_t apply(struct memshape_thread *self, const struct memshape_change *change,
                      const struct memshape_site *source) {
  struct memshape_record_header *header = memshape_runtime.header;
  int64_t delta = (int64_t)(change->added - change->removed);
  uint32_t site = MEMSHAPE_UNATTRIBUTED;
  if (delta < 0 && memshape_kernel_at_peak(header))
    memshape_kernel_snapshot(MEMSHAPE_RECORD_AT_PEAK);
  addCounts(self->line ? self->line : &header->threads[0], change);
  if (memshape_with_sites()) {
    if (change->kind != MEMSHAPE_FREE)
      site = memshape_site_of(self, source, change->caller, change->added);
    if (delta <= 0)
      for (struct memshape_frame *window = memshape_runtime.windows; window; window = window->next)
        if (window->stale)
          memshape_window_settle(window);
    memshape_sites_change(self, site, change->added, change->removed_site, change->removed);
  }
  int64_t live = header->live += delta;
  if (__builtin_expect(memshape_stacks != NULL, 0)) {
    int comes = change->kind != MEMSHAPE_FREE, resized = change->kind == MEMSHAPE_REALLOCATION;
    struct memshape_stack_change stacks = {
        site,   change->removed_site, change->added, change->removed, comes, change->kind != MEMSHAPE_ALLOCATION,
        resized};
    memshape_stacks_change(&stacks, live > header->peak);
  }
  ++Quiet;
  if (live > header->peak) {
    header->peak = live;
    Quiet = 0;
  }
  for (struct memshape_frame *window = memshape_runtime.windows; window; window = window->next)
    if (live > window->most) {
      window->most = live;
      window->stale = 1;
      Quiet = 0;
    }
  return site;
}

static void beBusy(struct memshape_thread *self) {
  self->busy = 1;
  if (self->line)
    __atomic_store_n(&self->line->busy, MEMSHAPE_IN_SECTION, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static void beIdle(struct memshape_thread *self) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (self->line)
    __atomic_store_n(&self->line->busy, MEMSHAPE_OUTSIDE, __ATOMIC_RELEASE);
  self->busy = 0;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Called while busy and under the lock: completes the entry into a section. */
static void stopOthers(struct memshape_thread *self, struct memshape_section *section, unsigned yields) {
  section->interrupts = !memshape_is_closed();
  if (section->interrupts)
    yields += memshape_credits_close(self, !section->locked || memshape_credits_alone(self));
  if (section->locked)
    memshape_contention_turn(self, section->interrupts, yields);
}

/* Returns how often the core was given up for the lock. */
static unsigned takeLock(struct memshape_thread *self, struct memshape_section *section) {
  beBusy(self);
  section->locked = !memshape_single_threaded();
  return section->locked ? memshape_lock_take(&memshape_runtime.lock) : 0;
}

static void enterLocked(struct memshape_thread *self, struct memshape_section *section) {
  unsigned yields = takeLock(self, section);
  stopOthers(self, section, yields);
}

static int isBusy(const struct memshape_thread *self) {
  return self->busy || (self->line && self->line->busy != MEMSHAPE_OUTSIDE);
}

int memshape_section_enter(struct memshape_thread *self, struct memshape_section *section) {
  if (isBusy(self))
    return 0;
  enterLocked(self, section);
  return 1;
}

/* Applies what signal handlers of this thread have left, in their order. A handler may add to it at any moment. */
static void applyDeferred(struct memshape_thread *self) {
  uint32_t applied = 0, seen;
  do
    for (seen = self->deferred_count; applied < seen; ++applied)
      apply(self, &self->deferred[applied], NULL);
  while (!__atomic_compare_exchange_n(&self->deferred_count, &seen, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

void memshape_section_leave(struct memshape_thread *self, struct memshape_section *section) {
  for (;;) {
    if (__builtin_expect(self->deferred_count != 0, 0))
      applyDeferred(self);
    memshape_credits_open(self, !section->locked || memshape_credits_alone(self),
                          section->interrupts ? UINT32_MAX : Quiet);
    if (section->locked)
      memshape_lock_give(&memshape_runtime.lock);
    beIdle(self);
    if (__builtin_expect(self->deferred_count == 0, 1))
      return;
    enterLocked(self, section); /* a handler came between the two looks */
  }
}

MEMSHAPE_SELDOM void memshape_apply_deferred(struct memshape_thread *self) {
  struct memshape_section section;
  if (memshape_section_enter(self, &section))
    memshape_section_leave(self, &section);
}

static void defer(struct memshape_thread *self, const struct memshape_change *change) {
  if (self->deferred_count < MEMSHAPE_DEFERRED)
    self->deferred[self->deferred_count++] = *change;
  else
    __atomic_fetch_add(&memshape_runtime.header->lost_operations, 1, __ATOMIC_RELAXED);
}

/*===-- What is not the usual path ----------------------------------------===*/

/* In a section, whose end this is too. Returns the site of the new block. */
static uint32_t countAlone(struct memshape_thread *self, const struct memshape_change *change,
                           struct memshape_section *section, int exhausted) {
  const struct memshape_site *source = change->kind == MEMSHAPE_FREE ? NULL : self->pending;
  if (source)
    self->pending = NULL;
  if (!self->line) {
    memshape_line_claim(self);
  } else if (section->interrupts && exhausted) {
    memshape_credits_exhausted();
    section->interrupts = 0;
    Quiet = 0;
  }
  uint32_t site = apply(self, change, source);
  memshape_section_leave(self, section);
  return site;
}

/* Called under the lock while several threads count on their own. Gives the thread what its fast path lacks, a line and
   the site of an allocation, without stopping others. */
static int prepare(struct memshape_thread *self, const struct memshape_change *change, uint32_t *site) {
  if (!self->line)
    memshape_line_claim(self);
  if (!self->line || !memshape_with_sites())
    return self->line != NULL;
  if (change->kind != MEMSHAPE_FREE)
    *site = memshape_site_of(self, self->pending, change->caller, change->added);
  return memshape_sites_room(self);
}

/* Inside a line: counts a change whose site is known. 0: not without the lock. */
static int countHere(struct memshape_thread *self, const struct memshape_change *change, uint32_t site) {
  struct memshape_record_thread *line = self->line;
  int with_sites = memshape_with_sites();
  int64_t delta = (int64_t)(change->added - change->removed);
  if ((with_sites && (site >= self->sites->count || change->removed_site >= self->sites->count)) ||
      !memshape_credit_fit(line, delta))
    return 0;
  if (with_sites)
    memshape_sites_change(self, site, change->added, change->removed_site, change->removed);
  addCounts(line, change);
  line->credit -= delta;
  if (change->kind != MEMSHAPE_FREE)
    self->pending = NULL;
  return 1;
}

/* Before stopping the others, a thread retries: another thread may have stopped all and left enough credit. Otherwise
   all waiting threads would stop each other in turn. */
static uint32_t count(struct memshape_thread *self, const struct memshape_change *change) {
  enum { Tries = 8 };
  uint32_t site = MEMSHAPE_UNATTRIBUTED;
  int known = change->kind == MEMSHAPE_FREE || !memshape_with_sites() ||
              (self->line && memshape_site_find(self, change->caller, change->added, &site));
  for (int tries = 0;; ++tries) {
    struct memshape_section section;
    uint32_t openings = __atomic_load_n(&memshape_credits.openings, __ATOMIC_ACQUIRE);
    int exhausted = 0, tried = 0;
    if (known && memshape_enter_line(self->line)) {
      tried = 1;
      int counted = countHere(self, change, site);
      exhausted = !counted && self->line->credit < (int64_t)(change->added - change->removed);
      memshape_leave_line(self, self->line);
      if (counted)
        return site;
    }
    if (isBusy(self)) {
      if (change->kind != MEMSHAPE_FREE)
        self->pending = NULL;
      defer(self, change);
      return MEMSHAPE_UNATTRIBUTED;
    }
    unsigned yields = takeLock(self, &section);
    int again = tries < Tries && section.locked && !memshape_is_closed() && memshape_credits.is_shared &&
                (!tried || memshape_credits.openings != openings) && prepare(self, change, &site);
    if (!again) {
      stopOthers(self, &section, yields);
      return countAlone(self, change, &section, exhausted);
    }
    known = 1;
    memshape_lock_give(&memshape_runtime.lock);
    beIdle(self);
    if (__builtin_expect(self->deferred_count != 0, 0))
      memshape_apply_deferred(self);
  }
}

MEMSHAPE_SELDOM void memshape_allocated_slow_path(void *block, size_t bytes, const void *caller) {
  struct memshape_change change = {.added = bytes, .caller = caller, .kind = MEMSHAPE_ALLOCATION};
  if (!memshape_self.bypass)
    memshape_block_put(block, bytes, count(&memshape_self, &change), memshape_with_sites());
}

/* Stops all threads once, so that each gets new credit. */
static void shareAgain(struct memshape_thread *self) {
  struct memshape_section section;
  if (memshape_section_enter(self, &section))
    memshape_section_leave(self, &section);
}

MEMSHAPE_SELDOM void memshape_freeing_slow_path(const struct memshape_block *known) {
  struct memshape_change change = {.removed = known->bytes, .removed_site = known->site, .kind = MEMSHAPE_FREE};
  if (memshape_self.bypass)
    return;
  count(&memshape_self, &change);
  if (memshape_credits_are_far())
    shareAgain(&memshape_self);
}

void memshape_resized(void *block, size_t bytes, const struct memshape_block *old, int known, const void *caller) {
  struct memshape_thread *self = &memshape_self;
  if (__builtin_expect(self->bypass, 0) || (!block && !known))
    return;
  struct memshape_change change = {.added = bytes,
                                   .removed = old->bytes,
                                   .caller = caller,
                                   .removed_site = old->site,
                                   .kind = block ? MEMSHAPE_REALLOCATION : MEMSHAPE_FREE};
  uint32_t site = count(self, &change);
  if (block)
    memshape_block_put(block, bytes, site, memshape_with_sites());
  else
    self->pending = NULL;
}

struct memshape_record_counts memshape_counts(void) {
  struct memshape_record_counts sum = {0, 0, 0, 0};
  for (uint32_t i = 0; i < memshape_lines(); ++i) {
    const struct memshape_record_counts *line = &memshape_runtime.header->threads[i].counts;
    sum.total += __atomic_load_n(&line->total, __ATOMIC_RELAXED);
    sum.allocations += __atomic_load_n(&line->allocations, __ATOMIC_RELAXED);
    sum.reallocations += __atomic_load_n(&line->reallocations, __ATOMIC_RELAXED);
    sum.frees += __atomic_load_n(&line->frees, __ATOMIC_RELAXED);
  }
  return sum;
}

void memshape_thread_ends(struct memshape_thread *self) {
  struct memshape_section section;
  if (self->top && memshape_section_enter(self, &section)) {
    memshape_calls_end(self, MEMSHAPE_RECORD_JUMPED);
    memshape_section_leave(self, &section);
  }
  memshape_line_give(self);
}

void memshape_count_forked(void) {
  memshape_sites_forked();
  memshape_lines_forked();
  memshape_self.line = NULL;
  memshape_runtime.lock.held = 0;
}
