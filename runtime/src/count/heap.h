/* Operations on the heap, as they are counted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The fast path of malloc and free: some twenty instructions on the thread's own cache lines and the shadow, without
   lock, atomic read-modify-write or call. Everything else is in count.c. */

#pragma once

#include "count/blocks.h"
#include "count/credit.h"
#include "count/sites.h"

static inline int memshape_with_sites(void) { return memshape_mode() == MEMSHAPE_CALLS; }

/* The slow path. Tries again to get credit first. */
MEMSHAPE_SELDOM void memshape_allocated_slow_path(void *block, size_t bytes, const void *caller);
MEMSHAPE_SELDOM void memshape_freeing_slow_path(const struct memshape_block *known);

/* A block was allocated. `caller`: the return address of the allocation. `mode`: totals or calls. */
static inline void memshape_allocated(void *block, size_t bytes, const void *caller, int mode) {
  struct memshape_thread *self = &memshape_self;
  struct memshape_record_thread *line = self->line;
  uint32_t site = MEMSHAPE_UNATTRIBUTED;
  if (mode == MEMSHAPE_CALLS && self->requester) {
    caller = self->requester;
    self->requester = NULL;
  }
  if (__builtin_expect(!self->bypass && memshape_enter_line(line), 1)) {
    if (__builtin_expect(line->credit >= (int64_t)bytes, 1) &&
        (mode != MEMSHAPE_CALLS || memshape_site_add(self, caller, bytes, &site))) {
      line->credit -= (int64_t)bytes;
      line->counts.total += bytes;
      ++line->counts.allocations;
      if (mode == MEMSHAPE_CALLS)
        self->pending = NULL;
      memshape_leave_line(self, line);
      memshape_block_put(block, bytes, site, mode == MEMSHAPE_CALLS);
      return;
    }
    memshape_leave_line(self, line);
  }
  memshape_allocated_slow_path(block, bytes, caller);
}

/* A known block is about to be freed. */
static inline void memshape_freeing(const struct memshape_block *known, int mode) {
  struct memshape_thread *self = &memshape_self;
  struct memshape_record_thread *line = self->line;
  if (__builtin_expect(!self->bypass && memshape_enter_line(line), 1)) {
    int64_t credit = line->credit + (int64_t)known->bytes;
    if (__builtin_expect(credit <= line->most_credit, 1) &&
        (mode != MEMSHAPE_CALLS || memshape_site_subtract(self, known->site, known->bytes))) {
      line->freed += known->bytes;
      ++line->counts.frees;
      line->credit = credit;
      memshape_leave_line(self, line);
      return;
    }
    memshape_leave_line(self, line);
  }
  memshape_freeing_slow_path(known);
}

/* The steps of realloc around the allocator's own: forget the old block; then either remember it again, or count the
   change to the new one (`block` null: the old one was freed). `known`: whether the old one was known. */
static inline int memshape_resizing(void *block, struct memshape_block *old) {
  int known = memshape_block_take(block, old, memshape_with_sites());
  if (!known)
    old->bytes = old->site = 0;
  return known;
}

static inline void memshape_not_resized(void *block, const struct memshape_block *old, int known) {
  memshape_self.pending = NULL;
  if (known)
    memshape_block_put(block, old->bytes, old->site, memshape_with_sites());
}

void memshape_resized(void *block, size_t bytes, const struct memshape_block *old, int known, const void *caller);
