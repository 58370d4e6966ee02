/*===- count.c - Live, peak, total: the sums over all threads -------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "count.h"
#include "calls.h"
#include "credit.h"
#include "heap.h"
#include "sites.h"

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

static void enterLocked(struct memshape_thread *self, struct memshape_section *section) {
  self->busy = 1;
  if (self->line)
    __atomic_store_n(&self->line->busy, MEMSHAPE_IN_SECTION, __ATOMIC_RELAXED);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  section->locked = !memshape_single_threaded();
  if (section->locked)
    memshape_lock_take(&memshape_runtime.lock);
  section->interrupts = !memshape_is_closed();
  if (section->interrupts)
    memshape_credits_close(self, !section->locked || memshape_credits_alone(self));
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
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (self->line)
      __atomic_store_n(&self->line->busy, MEMSHAPE_OUTSIDE, __ATOMIC_RELEASE);
    self->busy = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
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

uint32_t memshape_count_slowly(struct memshape_thread *self, const struct memshape_change *change) {
  const struct memshape_site *source = NULL;
  struct memshape_section section;
  int64_t delta = (int64_t)(change->added - change->removed);
  int exhausted = self->line && __atomic_load_n(&self->line->credit, __ATOMIC_RELAXED) < delta;
  if (change->kind != MEMSHAPE_FREE) {
    source = self->pending;
    self->pending = NULL;
  }
  if (!memshape_section_enter(self, &section)) {
    defer(self, change);
    return MEMSHAPE_UNATTRIBUTED;
  }
  if (!self->line)
    memshape_line_claim(self);
  else if (section.interrupts && exhausted) {
    memshape_credits_exhausted();
    section.interrupts = 0;
    Quiet = 0;
  }
  uint32_t site = apply(self, change, source);
  memshape_section_leave(self, &section);
  return site;
}

MEMSHAPE_SELDOM void memshape_allocated_slowly(void *block, size_t bytes, const void *caller) {
  struct memshape_thread *self = &memshape_self;
  struct memshape_record_thread *line = self->line;
  if (self->bypass)
    return;
  if (memshape_enter_line(line)) {
    int fetched = line->credit < (int64_t)bytes &&
                  (memshape_credit_raise(line, (int64_t)bytes) || memshape_credit_fetch(line, (int64_t)bytes));
    memshape_leave_line(self, line);
    if (fetched) {
      memshape_allocated(block, bytes, caller, memshape_mode());
      return;
    }
  }
  struct memshape_change change = {.added = bytes, .caller = caller, .kind = MEMSHAPE_ALLOCATION};
  uint32_t site = memshape_count_slowly(self, &change);
  memshape_block_put(block, bytes, site, memshape_with_sites());
}

MEMSHAPE_SELDOM void memshape_freeing_slowly(const struct memshape_block *known) {
  struct memshape_change change = {.removed = known->bytes, .removed_site = known->site, .kind = MEMSHAPE_FREE};
  if (!memshape_self.bypass)
    memshape_count_slowly(&memshape_self, &change);
}

void memshape_resized(void *block, size_t bytes, const struct memshape_block *old, int known, const void *caller) {
  struct memshape_thread *self = &memshape_self;
  struct memshape_record_thread *line = self->line;
  uint32_t site = MEMSHAPE_UNATTRIBUTED;
  int64_t delta = (int64_t)(bytes - old->bytes);
  if (__builtin_expect(self->bypass, 0) || (!block && !known))
    return;
  if (block && memshape_enter_line(line)) {
    if ((line->credit >= delta || memshape_credit_fetch(line, delta)) &&
        (!memshape_with_sites() || (old->site < self->sites->count && memshape_site_add(self, caller, bytes, &site)))) {
      if (memshape_with_sites())
        memshape_site_subtract(self, old->site, old->bytes);
      line->counts.total += bytes;
      line->freed += old->bytes;
      ++line->counts.reallocations;
      line->credit -= delta;
      if (line->credit > line->most_credit)
        memshape_credit_return(line);
      self->pending = NULL;
      memshape_leave_line(self, line);
      memshape_block_put(block, bytes, site, memshape_with_sites());
      return;
    }
    memshape_leave_line(self, line);
  }
  struct memshape_change change = {.added = bytes,
                                   .removed = old->bytes,
                                   .caller = caller,
                                   .removed_site = old->site,
                                   .kind = block ? MEMSHAPE_REALLOCATION : MEMSHAPE_FREE};
  site = memshape_count_slowly(self, &change);
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
