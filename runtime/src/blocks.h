/*===- blocks.h - The requested size of every live block ------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* free gets a pointer, and the allocator knows only how much it gave (malloc_usable_size), not how much was asked for.
|* The difference, the slack, is kept beside the heap: 2 bytes for every 16 bytes of address space, in pages that exist
|* only where blocks start. Blocks themselves stay as they are, so the program's resident memory keeps its shape.
|*
|*     address ------------- >> 30 ---> region (1 GiB of addresses) ---> 128 MiB of slots, touched where blocks are
|*             --- low 30 bits >> 4 ---> slot: 0 unknown block, 0xffff see the table of odd blocks, else slack + 1
|*
|* A block belongs to the thread that allocates or frees it, so slots need no lock, at any moment, in any handler.
|* A second shadow of the same form holds the site of each block; it is touched only when sites are counted.
|* Odd blocks (not 16-aligned, huge slack, address beyond 48 bits, no room for a shadow) go to a small locked table.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_BLOCKS_H
#define MEMSHAPE_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

enum { MEMSHAPE_REGION_SHIFT = 30, MEMSHAPE_ADDRESS_BITS = 48, MEMSHAPE_GRANULE_SHIFT = 4 };
#define MEMSHAPE_REGIONS ((size_t)1 << (MEMSHAPE_ADDRESS_BITS - MEMSHAPE_REGION_SHIFT))
#define MEMSHAPE_SLOT_ODD 0xffffu

struct memshape_block {
  size_t bytes; /* as requested */
  uint32_t site;
};

extern uint16_t *memshape_slack_regions[MEMSHAPE_REGIONS];
extern uint16_t *memshape_site_regions[MEMSHAPE_REGIONS];

/* The slots of a region are made on first use; null when there is no room for them. */
uint16_t *memshape_region_make(uint16_t **place);

void memshape_odd_put(void *block, size_t bytes, uint32_t site);
int memshape_odd_take(void *block, struct memshape_block *known);
/* Around fork, so that the child's copy of the table is whole. */
void memshape_odd_freeze(void);
void memshape_odd_thaw(void);

static inline uint16_t *memshape_slot_of(uint16_t **regions, uintptr_t address, int make) {
  uintptr_t region = address >> MEMSHAPE_REGION_SHIFT;
  if (__builtin_expect(region >= MEMSHAPE_REGIONS, 0))
    return NULL;
  uint16_t *slots = __atomic_load_n(&regions[region], __ATOMIC_ACQUIRE);
  if (__builtin_expect(!slots, 0) && (!make || !(slots = memshape_region_make(&regions[region]))))
    return NULL;
  return slots + ((address & (((uintptr_t)1 << MEMSHAPE_REGION_SHIFT) - 1)) >> MEMSHAPE_GRANULE_SHIFT);
}

/* Remembers a block for which the allocator gave `usable` bytes when `bytes` were requested. */
static inline void memshape_block_put(void *block, size_t bytes, size_t usable, uint32_t site, int with_sites) {
  uintptr_t address = (uintptr_t)block;
  size_t slack = usable - bytes;
  uint16_t *slot = address & 15 ? NULL : memshape_slot_of(memshape_slack_regions, address, 1);
  if (__builtin_expect(!slot || slack >= MEMSHAPE_SLOT_ODD - 1, 0)) {
    if (slot)
      *slot = MEMSHAPE_SLOT_ODD;
    memshape_odd_put(block, bytes, site);
    return;
  }
  if (with_sites) {
    uint16_t *place = memshape_slot_of(memshape_site_regions, address, 1);
    if (place)
      *place = (uint16_t)site;
  }
  *slot = (uint16_t)(slack + 1);
}

/* Forgets a block that is about to be freed. 0 when it is not known: allocated before counting began. */
static inline int memshape_block_take(void *block, size_t usable, struct memshape_block *known, int with_sites) {
  uintptr_t address = (uintptr_t)block;
  uint16_t *slot = address & 15 ? NULL : memshape_slot_of(memshape_slack_regions, address, 0);
  if (__builtin_expect(!slot || *slot == MEMSHAPE_SLOT_ODD, 0)) {
    if (slot)
      *slot = 0;
    return memshape_odd_take(block, known);
  }
  if (*slot == 0)
    return 0;
  size_t slack = *slot - 1u;
  *slot = 0;
  known->bytes = usable >= slack ? usable - slack : 0; /* a program that overran a block may have broken its head */
  known->site = 0;
  if (with_sites) {
    uint16_t *place = memshape_slot_of(memshape_site_regions, address, 0);
    if (place)
      known->site = *place;
  }
  return 1;
}

#endif /* MEMSHAPE_BLOCKS_H */
