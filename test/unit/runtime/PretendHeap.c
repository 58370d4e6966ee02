/* A heap for the counting core.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "PretendHeap.h"

#include "count/heap.h"
#include "count/spaces.h"
#include "count/start.h"

#include <stdint.h>

/* Addresses are taken in turn and never again. */
static const uintptr_t Spacing = 64, Start = (uintptr_t)0x100000000000u;
static uintptr_t Taken;

/* A forked child starts its record with its first operation. */
static int counting(void) { return memshape_counting() || memshape_start(); }

static void *place(size_t bytes) {
  return (void *)(Start + __atomic_fetch_add(&Taken, (bytes + Spacing) / Spacing * Spacing, __ATOMIC_RELAXED));
}

void *pretendAllocateAt(size_t bytes, size_t offset) {
  void *block = (char *)place(bytes + offset) + offset;
  if (counting())
    memshape_allocated(block, bytes, (const void *)pretendFree, memshape_mode());
  return block;
}

void *pretendAllocate(size_t bytes) { return pretendAllocateAt(bytes, 0); }

void *pretendReallocate(void *block, size_t bytes) {
  struct memshape_block old;
  if (!block)
    return pretendAllocate(bytes);
  int known = memshape_resizing(block, &old);
  void *moved = bytes ? place(bytes) : NULL;
  memshape_resized(moved, bytes, &old, known, (const void *)pretendFree);
  return moved;
}

void pretendFree(void *block) {
  struct memshape_block known;
  if (block && counting() && memshape_block_take(block, &known, memshape_with_sites()))
    memshape_freeing(&known, memshape_mode());
}

void pretendBusy(int busy) {
  memshape_self.busy = busy;
  if (memshape_self.line)
    memshape_self.line->busy = busy ? MEMSHAPE_INSIDE : MEMSHAPE_OUTSIDE;
}

void pretendTake(unsigned space, unsigned long name, size_t bytes) {
  memshape_space_put(space, MEMSHAPE_BY_ADDRESS, name, bytes, __builtin_return_address(0));
}

void pretendGive(unsigned long name) {
  struct memshape_space_block block;
  memshape_space_take(MEMSHAPE_BY_ADDRESS, name, &block);
}
