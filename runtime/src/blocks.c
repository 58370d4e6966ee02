/*===- blocks.c - Regions of the shadow, and the odd blocks ---------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "blocks.h"
#include "lock.h"
#include "pool.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

void *memshape_small_sizes[2][MEMSHAPE_REGIONS];
void *memshape_small_sites[2][MEMSHAPE_REGIONS];
void *memshape_long_blocks[MEMSHAPE_REGIONS];

void *memshape_region_make(void **place, size_t bytes) {
  void *fresh = memshape_pages(bytes);
  void *there = NULL;
  if (!fresh)
    return __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (__atomic_compare_exchange_n(place, &there, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return fresh;
  memshape_pages_give(fresh, bytes); /* another thread was first */
  return there;
}

/* Odd blocks: open addressing with linear probing, at most half full. Rare enough that blocking signals (two system
   calls) is a fair price for never meeting our own lock in a handler. */
struct odd {
  uintptr_t address;
  size_t bytes;
  uint32_t site;
};
static struct odd *Table;
static size_t Capacity, Used;
static struct memshape_lock OddLock;
static sigset_t FrozenMask;

static void enter(sigset_t *before) {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, before);
  memshape_lock_take(&OddLock);
}

static void leave(const sigset_t *before) {
  memshape_lock_give(&OddLock);
  pthread_sigmask(SIG_SETMASK, before, NULL);
}

static size_t home(uintptr_t address, size_t capacity) {
  return (size_t)(((uint64_t)address >> 3) * 0x9e3779b97f4a7c15u >> 17) & (capacity - 1);
}

static void insert(struct odd *table, size_t capacity, struct odd entry) {
  size_t i = home(entry.address, capacity);
  while (table[i].address && table[i].address != entry.address)
    i = (i + 1) & (capacity - 1);
  table[i] = entry;
}

static int grow(void) {
  size_t bigger = Capacity ? 2 * Capacity : 1024;
  struct odd *table = memshape_pages(bigger * sizeof *table);
  if (!table)
    return 0;
  for (size_t i = 0; i < Capacity; ++i)
    if (Table[i].address)
      insert(table, bigger, Table[i]);
  if (Table)
    memshape_pages_give(Table, Capacity * sizeof *Table);
  Table = table;
  Capacity = bigger;
  return 1;
}

void memshape_odd_put(void *block, size_t bytes, uint32_t site) {
  int saved = errno;
  sigset_t before;
  enter(&before);
  if (2 * (Used + 1) <= Capacity || grow()) {
    insert(Table, Capacity, (struct odd){(uintptr_t)block, bytes, site});
    __atomic_store_n(&Used, Used + 1, __ATOMIC_RELEASE);
  }
  leave(&before);
  errno = saved;
}

int memshape_odd_take(void *block, struct memshape_block *known) {
  int saved = errno, found = 0;
  sigset_t before;
  if (!__atomic_load_n(&Used, __ATOMIC_ACQUIRE)) /* the usual case for a block from before our time */
    return 0;
  enter(&before);
  size_t mask = Capacity - 1, i = home((uintptr_t)block, Capacity);
  while (Table[i].address && Table[i].address != (uintptr_t)block)
    i = (i + 1) & mask;
  if (Table[i].address) {
    found = 1;
    known->bytes = Table[i].bytes;
    known->site = Table[i].site;
    __atomic_store_n(&Used, Used - 1, __ATOMIC_RELEASE);
    /* Close the gap: move back every later entry of the run that may live there. */
    for (size_t hole = i, next = (i + 1) & mask;; next = (next + 1) & mask) {
      if (!Table[next].address) {
        Table[hole].address = 0;
        break;
      }
      if (((next - home(Table[next].address, Capacity)) & mask) >= ((next - hole) & mask)) {
        Table[hole] = Table[next];
        hole = next;
      }
    }
  }
  leave(&before);
  errno = saved;
  return found;
}

void memshape_odd_freeze(void) { enter(&FrozenMask); }
void memshape_odd_thaw(void) { leave(&FrozenMask); }
