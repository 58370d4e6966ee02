/*===- blocks.h - The requested size of every live block ------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* free gets a pointer, and the allocator knows only how much it gave, not how much was asked for. So the requested size
|* is kept beside the heap, in two shadows whose pages exist only where blocks start. Blocks themselves stay as they
|* are: the program's resident memory keeps its shape, and the allocator below is asked for nothing.
|*
|*     address ---- >> 30 ---> region (1 GiB of addresses) ---> small blocks: 2 bytes per 16 bytes: the size + 1, or 0
|*                                                         \--> long blocks: 16 bytes per 4 KiB: size, place, site
|*
|* Small is up to 65,534 bytes. No two long blocks start within 4 KiB. Blocks that lie 8 bytes off the 16 (8-byte blocks
|* of jemalloc, mimalloc and tcmalloc) have a shadow of small blocks to themselves.
|*
|* A block belongs to the thread that allocates or frees it, so entries need no lock, at any moment, in any handler.
|* Another shadow of the same form holds the site of each small block; it is touched only when sites are counted.
|* Odd blocks (not 8-aligned, address beyond 48 bits, no room for a shadow) go to a small locked table.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_BLOCKS_H
#define MEMSHAPE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

enum {
  MEMSHAPE_REGION_SHIFT = 30,
  MEMSHAPE_ADDRESS_BITS = 48,
  MEMSHAPE_SMALL_SHIFT = 4,
  MEMSHAPE_LONG_SHIFT = 12,
  MEMSHAPE_SMALL_MOST = 65534
};
#define MEMSHAPE_REGIONS ((size_t)1 << (MEMSHAPE_ADDRESS_BITS - MEMSHAPE_REGION_SHIFT))

struct memshape_block {
  size_t bytes; /* as requested */
  uint32_t site;
};

/* What a 4 KiB page of addresses knows of the long block that starts there. */
struct memshape_long_block {
  uint64_t size_and_place; /* requested bytes << 9 | (address within the page) / 8; 0: none starts here */
  uint64_t site;
};

/* By region; the small ones once for each of the two offsets from a multiple of 16. */
extern void *memshape_small_sizes[2][MEMSHAPE_REGIONS];
extern void *memshape_small_sites[2][MEMSHAPE_REGIONS];
extern void *memshape_long_blocks[MEMSHAPE_REGIONS];

/* A region's entries are made on first use; null when there is no room for them. */
void *memshape_region_make(void **place, size_t bytes);

void memshape_odd_put(void *block, size_t bytes, uint32_t site);
int memshape_odd_take(void *block, struct memshape_block *known);
/* Around fork, so that the child's copy of the table is whole. */
void memshape_odd_freeze(void);
void memshape_odd_thaw(void);

/* The entry of `address` in a shadow with one entry of `entry` bytes per 2^shift bytes of addresses. */
static inline void *memshape_entry_of(void **regions, uintptr_t address, unsigned shift, size_t entry, int make) {
  const uintptr_t span = (uintptr_t)1 << MEMSHAPE_REGION_SHIFT;
  uintptr_t region = address >> MEMSHAPE_REGION_SHIFT;
  if (__builtin_expect(region >= MEMSHAPE_REGIONS, 0))
    return NULL;
  char *entries = __atomic_load_n(&regions[region], __ATOMIC_ACQUIRE);
  if (__builtin_expect(!entries, 0) &&
      (!make || !(entries = memshape_region_make(&regions[region], (span >> shift) * entry))))
    return NULL;
  return entries + ((address & (span - 1)) >> shift) * entry;
}

static inline uint16_t *memshape_small_entry(void *(*regions)[MEMSHAPE_REGIONS], uintptr_t address, int make) {
  return memshape_entry_of(regions[address >> 3 & 1], address, MEMSHAPE_SMALL_SHIFT, sizeof(uint16_t), make);
}

static inline struct memshape_long_block *memshape_long_entry(uintptr_t address, int make) {
  return memshape_entry_of(memshape_long_blocks, address, MEMSHAPE_LONG_SHIFT, sizeof(struct memshape_long_block),
                           make);
}

static inline uint64_t memshape_long_place(uintptr_t address) {
  return (address & (((uintptr_t)1 << MEMSHAPE_LONG_SHIFT) - 1)) >> 3;
}

/* Remembers a block that was requested with `bytes` bytes. */
static inline void memshape_block_put(void *block, size_t bytes, uint32_t site, int with_sites) {
  uintptr_t address = (uintptr_t)block;
  if (__builtin_expect(address & 7, 0)) {
    memshape_odd_put(block, bytes, site);
  } else if (__builtin_expect(bytes <= MEMSHAPE_SMALL_MOST, 1)) {
    uint16_t *size = memshape_small_entry(memshape_small_sizes, address, 1);
    if (__builtin_expect(!size, 0)) {
      memshape_odd_put(block, bytes, site);
      return;
    }
    if (with_sites) {
      uint16_t *place = memshape_small_entry(memshape_small_sites, address, 1);
      if (place)
        *place = (uint16_t)site;
    }
    *size = (uint16_t)(bytes + 1);
  } else {
    struct memshape_long_block *entry = memshape_long_entry(address, 1);
    if (!entry) {
      memshape_odd_put(block, bytes, site);
      return;
    }
    entry->site = site;
    entry->size_and_place = (uint64_t)bytes << 9 | memshape_long_place(address);
  }
}

/* Forgets a block that is about to be freed. 0 when it is not known: allocated before counting began. */
static inline int memshape_block_take(void *block, struct memshape_block *known, int with_sites) {
  uintptr_t address = (uintptr_t)block;
  uint16_t *size = address & 7 ? NULL : memshape_small_entry(memshape_small_sizes, address, 0);
  known->site = 0;
  if (__builtin_expect(size && *size, 1)) {
    known->bytes = *size - 1u;
    *size = 0;
    if (with_sites) {
      const uint16_t *place = memshape_small_entry(memshape_small_sites, address, 0);
      if (place)
        known->site = *place;
    }
    return 1;
  }
  struct memshape_long_block *entry = address & 7 ? NULL : memshape_long_entry(address, 0);
  if (entry && entry->size_and_place && (entry->size_and_place & 511) == memshape_long_place(address)) {
    known->bytes = entry->size_and_place >> 9;
    known->site = (uint32_t)entry->site;
    entry->size_and_place = 0;
    return 1;
  }
  return memshape_odd_take(block, known);
}

#endif /* MEMSHAPE_BLOCKS_H */
