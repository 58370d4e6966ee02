/*===- heap.h - Operations on the heap, as they are counted ---------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* The usual path of malloc and free: some twenty instructions on the thread's own cache lines and the shadow, no lock,
|* no atomic read-modify-write, no call. Everything else is memshape_count_slowly.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_HEAP_H
#define MEMSHAPE_HEAP_H

#include "blocks.h"
#include "credit.h"
#include "sites.h"

static inline int memshape_with_sites(void) {
  return __atomic_load_n(&memshape_runtime.mode, __ATOMIC_RELAXED) == MEMSHAPE_CALLS;
}

/* A block was allocated; `caller` is whom the allocation returns to. */
static inline void memshape_allocated(void *block, size_t bytes, const void *caller) {
  struct memshape_thread *self = &memshape_self;
  struct memshape_record_thread *line = self->line;
  uint32_t site = MEMSHAPE_UNATTRIBUTED;
  if (__builtin_expect(self->bypass, 0))
    return;
  if (__builtin_expect(memshape_enter_line(line), 1)) {
    if (memshape_has_credit(line, (int64_t)bytes) &&
        (!memshape_with_sites() || memshape_site_add(self, caller, bytes, &site))) {
      line->credit -= (int64_t)bytes;
      line->counts.total += bytes;
      ++line->counts.allocations;
      self->pending = NULL;
      memshape_leave_line(self, line);
      memshape_block_put(block, bytes, site, memshape_with_sites());
      return;
    }
    memshape_leave_line(self, line);
  }
  struct memshape_change change = {.added = bytes, .caller = caller, .kind = MEMSHAPE_ALLOCATION};
  site = memshape_count_slowly(self, &change);
  memshape_block_put(block, bytes, site, memshape_with_sites());
}

/* A block is about to be freed. */
static inline void memshape_freeing(void *block) {
  struct memshape_thread *self = &memshape_self;
  struct memshape_record_thread *line = self->line;
  struct memshape_block known;
  if (!memshape_block_take(block, &known, memshape_with_sites()) || __builtin_expect(self->bypass, 0))
    return;
  if (__builtin_expect(memshape_enter_line(line), 1)) {
    if (!memshape_with_sites() || memshape_site_subtract(self, known.site, known.bytes)) {
      line->counts.frees += 1;
      line->freed += known.bytes;
      memshape_spend(line, -(int64_t)known.bytes);
      memshape_leave_line(self, line);
      return;
    }
    memshape_leave_line(self, line);
  }
  struct memshape_change change = {.removed = known.bytes, .removed_site = known.site, .kind = MEMSHAPE_FREE};
  memshape_count_slowly(self, &change);
}

/* The three steps of realloc, around the allocator's own: forget the old block; then either remember it again, or count
   the change to the new one (`block` null: it was freed). `known` says whether the old one was known. */
static inline int memshape_resizing(void *block, struct memshape_block *old) {
  int known = memshape_block_take(block, old, memshape_with_sites());
  if (!known)
    old->bytes = 0;
  return known;
}

static inline void memshape_not_resized(void *block, const struct memshape_block *old, int known) {
  memshape_self.pending = NULL;
  if (known)
    memshape_block_put(block, old->bytes, old->site, memshape_with_sites());
}

void memshape_resized(void *block, size_t bytes, const struct memshape_block *old, int known, const void *caller);

#endif /* MEMSHAPE_HEAP_H */
