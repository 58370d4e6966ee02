/*===- count.c - Live, peak, total: the sums over all threads -------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "count.h"
#include "blocks.h"
#include "calls.h"
#include "sites.h"
#include "start.h"

struct memshape_runtime memshape_runtime;
_Thread_local struct memshape_thread memshape_self;

static int withSites(void) { return __atomic_load_n(&memshape_runtime.mode, __ATOMIC_RELAXED) == MEMSHAPE_CALLS; }

/* Lines of the record in use; 0 is never given to a thread. */
static uint8_t LineTaken[MEMSHAPE_RECORD_THREADS];

static void claimLine(struct memshape_thread *self) {
  struct memshape_record_header *header = memshape_runtime.header;
  for (uint32_t i = 1; i < MEMSHAPE_RECORD_THREADS; ++i)
    if (!__atomic_load_n(&LineTaken[i], __ATOMIC_RELAXED) && !__atomic_exchange_n(&LineTaken[i], 1, __ATOMIC_ACQUIRE)) {
      self->line = &header->threads[i];
      memshape_watch_thread_end();
      return;
    }
  self->line = &header->threads[0]; /* more threads than lines: shared, hence atomic additions below */
}

static void addCounts(struct memshape_record_counts *counts, const struct memshape_change *change, int shared) {
  uint64_t *operations = change->kind == MEMSHAPE_ALLOCATION     ? &counts->allocations
                         : change->kind == MEMSHAPE_REALLOCATION ? &counts->reallocations
                                                                 : &counts->frees;
  if (shared) {
    __atomic_fetch_add(&counts->total, change->added, __ATOMIC_RELAXED);
    __atomic_fetch_add(operations, 1, __ATOMIC_RELAXED);
  } else { /* one writer; stores are atomic for the readers' sake */
    __atomic_store_n(&counts->total, counts->total + change->added, __ATOMIC_RELAXED);
    __atomic_store_n(operations, *operations + 1, __ATOMIC_RELAXED);
  }
}

/* Adds to live and returns the new value, which may be the new peak. Every operation sees its own place in one order of
   all additions, so the largest of these values is the true maximum of the sum. */
static int64_t addLive(int64_t delta) {
  struct memshape_record_header *header = memshape_runtime.header;
  if (memshape_single_threaded()) {
    int64_t live = header->live += delta;
    if (live > header->peak)
      header->peak = live;
    return live;
  }
  int64_t live = __atomic_add_fetch(&header->live, delta, __ATOMIC_RELAXED);
  int64_t peak = __atomic_load_n(&header->peak, __ATOMIC_RELAXED);
  while (live > peak && !__atomic_compare_exchange_n(&header->peak, &peak, live, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    ;
  return live;
}

static void applyToTotals(struct memshape_thread *self, const struct memshape_change *change) {
  if (__builtin_expect(!self->line, 0))
    claimLine(self);
  addCounts(&self->line->counts, change, self->line == &memshape_runtime.header->threads[0]);
  addLive((int64_t)(change->added - change->removed));
}

/* Returns the site that the new block belongs to. */
static uint32_t applyToCalls(const struct memshape_change *change, const struct memshape_site *source) {
  int64_t delta = (int64_t)(change->added - change->removed);
  uint32_t site = MEMSHAPE_UNATTRIBUTED;
  if (change->kind != MEMSHAPE_FREE)
    site = source           ? memshape_site_number(source)
           : change->caller ? memshape_library_number(change->caller, MEMSHAPE_SPACE_HOST)
                            : site;
  addCounts(&memshape_runtime.header->threads[0].counts, change, 0);
  if (delta <= 0)
    for (struct memshape_frame *window = memshape_runtime.windows; window; window = window->next)
      if (window->stale)
        memshape_window_settle(window);
  memshape_site_live[change->removed_site] -= (int64_t)change->removed;
  memshape_site_live[site] += (int64_t)change->added;
  int64_t live = addLive(delta);
  for (struct memshape_frame *window = memshape_runtime.windows; window; window = window->next)
    if (live > window->most) {
      window->most = live;
      window->stale = 1;
    }
  return site;
}

static void lockUnlessAlone(struct memshape_section *section) {
  section->locked = !memshape_single_threaded();
  if (section->locked)
    memshape_lock_take(&memshape_runtime.lock);
}

int memshape_section_enter(struct memshape_thread *self, struct memshape_section *section) {
  if (self->busy)
    return 0;
  self->busy = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  lockUnlessAlone(section);
  return 1;
}

/* Applies what signal handlers of this thread have left, in their order. A handler may add to it at any moment. */
static void applyDeferred(struct memshape_thread *self) {
  uint32_t applied = 0, seen;
  do
    for (seen = self->deferred_count; applied < seen; ++applied)
      if (withSites())
        applyToCalls(&self->deferred[applied], NULL);
      else
        applyToTotals(self, &self->deferred[applied]);
  while (!__atomic_compare_exchange_n(&self->deferred_count, &seen, 0, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
}

void memshape_section_leave(struct memshape_thread *self, struct memshape_section *section) {
  for (;;) {
    if (__builtin_expect(self->deferred_count != 0, 0))
      applyDeferred(self);
    if (section->locked)
      memshape_lock_give(&memshape_runtime.lock);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    self->busy = 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (__builtin_expect(self->deferred_count == 0, 1))
      return;
    memshape_section_enter(self, section); /* a handler came between the two looks */
  }
}

static void defer(struct memshape_thread *self, const struct memshape_change *change) {
  if (self->deferred_count < MEMSHAPE_DEFERRED)
    self->deferred[self->deferred_count++] = *change;
  else
    __atomic_fetch_add(&memshape_runtime.header->lost_operations, 1, __ATOMIC_RELAXED);
}

/* Returns the site that the new block belongs to. */
static uint32_t count(struct memshape_thread *self, const struct memshape_change *change) {
  const struct memshape_site *source = NULL;
  if (change->kind != MEMSHAPE_FREE) {
    source = self->pending;
    self->pending = NULL;
  }
  if (__builtin_expect(self->busy, 0)) {
    defer(self, change);
    return MEMSHAPE_UNATTRIBUTED;
  }
  if (withSites()) {
    struct memshape_section section;
    memshape_section_enter(self, &section);
    uint32_t site = applyToCalls(change, source);
    memshape_section_leave(self, &section);
    return site;
  }
  self->busy = 1;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  applyToTotals(self, change);
  struct memshape_section unlocked = {0};
  memshape_section_leave(self, &unlocked);
  return MEMSHAPE_UNATTRIBUTED;
}

void memshape_allocated(void *block, size_t bytes, size_t usable, const void *caller) {
  struct memshape_thread *self = &memshape_self;
  if (__builtin_expect(self->bypass, 0))
    return;
  struct memshape_change change = {.added = bytes, .caller = caller, .kind = MEMSHAPE_ALLOCATION};
  uint32_t site = count(self, &change);
  memshape_block_put(block, bytes, usable, site, withSites());
}

void memshape_freeing(void *block, size_t usable) {
  struct memshape_thread *self = &memshape_self;
  struct memshape_block known;
  if (!memshape_block_take(block, usable, &known, withSites()) || __builtin_expect(self->bypass, 0))
    return;
  struct memshape_change change = {.removed = known.bytes, .removed_site = known.site, .kind = MEMSHAPE_FREE};
  count(self, &change);
}

int memshape_resizing(void *block, size_t usable, struct memshape_block *old) {
  old->bytes = 0;
  old->site = MEMSHAPE_UNATTRIBUTED;
  return memshape_block_take(block, usable, old, withSites());
}

void memshape_not_resized(void *block, size_t usable, const struct memshape_block *old, int known) {
  memshape_self.pending = NULL;
  if (known)
    memshape_block_put(block, old->bytes, usable, old->site, withSites());
}

void memshape_resized(void *block, size_t bytes, size_t usable, const struct memshape_block *old, int known,
                      const void *caller) {
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
    memshape_block_put(block, bytes, usable, site, withSites());
  else
    self->pending = NULL;
}

struct memshape_record_counts memshape_counts(void) {
  struct memshape_record_counts sum = {0, 0, 0, 0};
  for (uint32_t i = 0; i < MEMSHAPE_RECORD_THREADS; ++i) {
    const struct memshape_record_counts *line = &memshape_runtime.header->threads[i].counts;
    if (i != 0 && !__atomic_load_n(&line->allocations, __ATOMIC_RELAXED) &&
        !__atomic_load_n(&line->frees, __ATOMIC_RELAXED) && !__atomic_load_n(&line->reallocations, __ATOMIC_RELAXED))
      continue;
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
  if (self->line && self->line != &memshape_runtime.header->threads[0])
    __atomic_store_n(&LineTaken[self->line - memshape_runtime.header->threads], 0, __ATOMIC_RELEASE);
  self->line = NULL;
}

void memshape_count_forked(void) {
  for (uint32_t i = 0; i < MEMSHAPE_RECORD_THREADS; ++i)
    LineTaken[i] = 0;
  memshape_self.line = NULL;
  memshape_runtime.lock.held = 0;
}
