/* Regions of the shadow, and the odd blocks.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/blocks.h"
#include "tables/lock.h"
#include "tables/pool.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>

void *memshape_small_sizes[2][MEMSHAPE_REGIONS];
void *memshape_small_sites[2][MEMSHAPE_REGIONS];
void *memshape_long_blocks[MEMSHAPE_REGIONS];

/* A region's entries, made on first use; null when there is no memory for them. */
static void *makeRegion(void **place, size_t bytes) {
  void *fresh = memshape_pages(bytes);
  void *there = NULL;
  if (!fresh)
    return __atomic_load_n(place, __ATOMIC_ACQUIRE);
  if (__atomic_compare_exchange_n(place, &there, fresh, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return fresh;
  memshape_pages_give(fresh, bytes); /* another thread was first */
  return there;
}

/* The entry of `address` in a shadow with one entry of `entry` bytes per 2^shift bytes of addresses. */
static void *entryOf(void **regions, uintptr_t address, unsigned shift, size_t entry, int make) {
  uintptr_t region = address >> MEMSHAPE_REGION_SHIFT;
  if (__builtin_expect(region >= MEMSHAPE_REGIONS, 0))
    return NULL;
  char *entries = __atomic_load_n(&regions[region], __ATOMIC_ACQUIRE);
  if (__builtin_expect(!entries, 0) &&
      (!make || !(entries = makeRegion(&regions[region], ((MEMSHAPE_REGION_MASK + 1) >> shift) * entry))))
    return NULL;
  return entries + ((address & MEMSHAPE_REGION_MASK) >> shift) * entry;
}

static uint16_t *smallEntry(void *(*regions)[MEMSHAPE_REGIONS], uintptr_t address, int make) {
  return entryOf(regions[address >> 3 & 1], address, MEMSHAPE_SMALL_SHIFT, sizeof(uint16_t), make);
}

static struct memshape_long_block *longEntry(uintptr_t address, int make) {
  return entryOf(memshape_long_blocks, address, MEMSHAPE_LONG_SHIFT, sizeof(struct memshape_long_block), make);
}

static uint64_t longPlace(uintptr_t address) { return (address & (((uintptr_t)1 << MEMSHAPE_LONG_SHIFT) - 1)) >> 3; }

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

static void putOdd(void *block, size_t bytes, uint32_t site) {
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

static int takeOdd(void *block, struct memshape_block *known) {
  int saved = errno, found = 0;
  sigset_t before;
  if (!__atomic_load_n(&Used, __ATOMIC_ACQUIRE)) /* the usual case for a block from before counting began */
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

void memshape_block_put_slow_path(void *block, size_t bytes, uint32_t site, int with_sites) {
  uintptr_t address = (uintptr_t)block;
  if (address & 7) {
    putOdd(block, bytes, site);
  } else if (bytes <= MEMSHAPE_SMALL_MOST) {
    uint16_t *size = smallEntry(memshape_small_sizes, address, 1);
    uint16_t *place = with_sites ? smallEntry(memshape_small_sites, address, 1) : NULL;
    if (!size || (with_sites && !place)) {
      putOdd(block, bytes, site);
      return;
    }
    if (with_sites)
      *place = (uint16_t)site;
    *size = (uint16_t)(bytes + 1);
  } else {
    struct memshape_long_block *entry = longEntry(address, 1);
    if (!entry) {
      putOdd(block, bytes, site);
      return;
    }
    entry->site = site;
    entry->size_and_place = (uint64_t)bytes << 9 | longPlace(address);
  }
}

int memshape_block_take_slow_path(void *block, struct memshape_block *known, int with_sites) {
  uintptr_t address = (uintptr_t)block;
  uint16_t *size = address & 7 ? NULL : smallEntry(memshape_small_sizes, address, 0);
  known->site = 0;
  if (size && *size) {
    const uint16_t *place = with_sites ? smallEntry(memshape_small_sites, address, 0) : NULL;
    known->bytes = *size - 1u;
    known->site = place ? *place : 0;
    *size = 0;
    return 1;
  }
  struct memshape_long_block *entry = address & 7 ? NULL : longEntry(address, 0);
  if (entry && entry->size_and_place && (entry->size_and_place & 511) == longPlace(address)) {
    known->bytes = entry->size_and_place >> 9;
    known->site = (uint32_t)entry->site;
    entry->size_and_place = 0;
    return 1;
  }
  return takeOdd(block, known);
}

int memshape_block_is_known(const void *block) {
  uintptr_t address = (uintptr_t)block;
  const uint16_t *size = address & 7 ? NULL : smallEntry(memshape_small_sizes, address, 0);
  const struct memshape_long_block *entry = address & 7 ? NULL : longEntry(address, 0);
  return (size && *size) || (entry && entry->size_and_place && (entry->size_and_place & 511) == longPlace(address));
}

void memshape_odd_freeze(void) { enter(&FrozenMask); }
void memshape_odd_thaw(void) { leave(&FrozenMask); }
