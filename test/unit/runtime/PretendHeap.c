/*===- PretendHeap.c - A heap for the counting core -----------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "PretendHeap.h"

#include "blocks.h"
#include "count.h"
#include "spaces.h"
#include "start.h"

#include <stdint.h>

/* Addresses are taken in turn and never again, so usable sizes can be kept in a table. */
enum { Spacing = 64, MostBlocks = 1 << 24 };
static const uintptr_t Start = (uintptr_t)0x100000000000u;
static uint32_t NextBlock;
static uint32_t Usable[MostBlocks];

static uint32_t *usableOf(void *block) { return &Usable[((uintptr_t)block - Start) / Spacing % MostBlocks]; }

/* A forked child starts its record with its first operation. */
static int counting(void) { return memshape_counting() || memshape_start(); }

void *pretendAllocateAt(size_t bytes, size_t slack, size_t offset) {
  uintptr_t address = Start + (uintptr_t)Spacing * __atomic_fetch_add(&NextBlock, 1, __ATOMIC_RELAXED) + offset;
  void *block = (void *)address;
  *usableOf(block) = (uint32_t)(bytes + slack);
  if (counting())
    memshape_allocated(block, bytes, bytes + slack, (const void *)pretendFree);
  return block;
}

void *pretendAllocate(size_t bytes, size_t slack) { return pretendAllocateAt(bytes, slack, 0); }

void *pretendReallocate(void *block, size_t bytes) {
  struct memshape_block old;
  if (!block)
    return pretendAllocate(bytes, 8);
  int known = memshape_resizing(block, *usableOf(block), &old);
  void *moved = NULL;
  if (bytes) {
    moved = (void *)(Start + (uintptr_t)Spacing * __atomic_fetch_add(&NextBlock, 1, __ATOMIC_RELAXED));
    *usableOf(moved) = (uint32_t)bytes + 8;
  }
  memshape_resized(moved, bytes, bytes + 8, &old, known, (const void *)pretendFree);
  return moved;
}

void pretendFree(void *block) {
  if (block && counting())
    memshape_freeing(block, *usableOf(block));
}

void pretendBusy(int busy) { memshape_self.busy = busy; }

void pretendTake(unsigned space, unsigned long name, size_t bytes) {
  memshape_space_put(space, MEMSHAPE_BY_ADDRESS, name, bytes, __builtin_return_address(0));
}

void pretendGive(unsigned long name) {
  struct memshape_space_block block;
  memshape_space_take(MEMSHAPE_BY_ADDRESS, name, &block);
}
