/* The requested size of every live block.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   free gets a pointer, and the allocator knows only how much it gave, not how much was requested. So the requested size
   is kept beside the heap, in two shadows whose pages exist only where blocks start. Blocks are left as they are, so
   that the program's resident memory keeps its layout.

       address ---- >> 30 ---> region (1 GiB of addresses) ---> small blocks: 2 bytes per 16 bytes: the size + 1, or 0
                                                           \--> long blocks: 16 bytes per 4 KiB: size, place, site

   Small is up to 65,534 bytes. No two long blocks start within 4 KiB. Blocks that lie 8 bytes off the 16 (8-byte blocks
   of jemalloc, mimalloc and tcmalloc) have a shadow of small blocks to themselves.

   Only the thread that allocates or frees a block touches its entry, so entries need no lock, in signal handlers
   either.
   Another shadow of the same form holds the site of each small block; it is touched only when sites are counted.
   Odd blocks (not 8-aligned, address beyond 48 bits, no room for a shadow) go to a small locked table. */

#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
  MEMSHAPE_REGION_SHIFT = 30,
  MEMSHAPE_ADDRESS_BITS = 48,
  MEMSHAPE_SMALL_SHIFT = 4,
  MEMSHAPE_LONG_SHIFT = 12,
  MEMSHAPE_SMALL_MOST = 65534
};
#define MEMSHAPE_REGION_MASK (((uintptr_t)1 << MEMSHAPE_REGION_SHIFT) - 1)
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

int memshape_block_is_known(const void *block);

/* Around fork, so that the child's copy of the table of odd blocks is whole. */
void memshape_odd_freeze(void);
void memshape_odd_thaw(void);

/* Remembers a block that was requested with `bytes` bytes. */
void memshape_block_put_slow_path(void *block, size_t bytes, uint32_t site, int with_sites);
/* Forgets a block that is about to be freed. 0 when it is not known: allocated before counting began. */
int memshape_block_take_slow_path(void *block, struct memshape_block *known, int with_sites);

/* The fast path: small blocks in regions that exist. */
static inline void memshape_block_put(void *block, size_t bytes, uint32_t site, int with_sites) {
  uintptr_t address = (uintptr_t)block, region = address >> MEMSHAPE_REGION_SHIFT;
  uint16_t *sizes, *sites;
  if (__builtin_expect((address & 15) == 0 && bytes <= MEMSHAPE_SMALL_MOST && region < MEMSHAPE_REGIONS, 1) &&
      (sizes = __atomic_load_n(&memshape_small_sizes[0][region], __ATOMIC_ACQUIRE)) &&
      (!with_sites || (sites = __atomic_load_n(&memshape_small_sites[0][region], __ATOMIC_ACQUIRE)))) {
    size_t i = (address & MEMSHAPE_REGION_MASK) >> MEMSHAPE_SMALL_SHIFT;
    if (with_sites)
      sites[i] = (uint16_t)site;
    sizes[i] = (uint16_t)(bytes + 1);
  } else {
    memshape_block_put_slow_path(block, bytes, site, with_sites);
  }
}

static inline int memshape_block_take(void *block, struct memshape_block *known, int with_sites) {
  uintptr_t address = (uintptr_t)block, region = address >> MEMSHAPE_REGION_SHIFT;
  uint16_t *sizes, *sites;
  if (__builtin_expect((address & 15) == 0 && region < MEMSHAPE_REGIONS, 1) &&
      (sizes = __atomic_load_n(&memshape_small_sizes[0][region], __ATOMIC_ACQUIRE)) &&
      (!with_sites || (sites = __atomic_load_n(&memshape_small_sites[0][region], __ATOMIC_ACQUIRE)))) {
    size_t i = (address & MEMSHAPE_REGION_MASK) >> MEMSHAPE_SMALL_SHIFT;
    if (__builtin_expect(sizes[i] != 0, 1)) {
      known->bytes = sizes[i] - 1u;
      known->site = with_sites ? sites[i] : 0;
      sizes[i] = 0;
      return 1;
    }
  }
  return memshape_block_take_slow_path(block, known, with_sites);
}
