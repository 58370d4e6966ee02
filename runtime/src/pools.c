/*===- pools.c - Allocators that a program has declared -------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "pools.h"
#include "pool.h"
#include "recordfile.h"
#include "sites.h"
#include "spaces.h"
#include "start.h"

#define EXPORT __attribute__((visibility("default")))

enum { LongestName = 255 };

struct block {
  struct block *next;              /* in its bucket */
  struct block *older, **in_place; /* among the blocks of its pool; what refers to this one there */
  const struct declared_pool *pool;
  uintptr_t address;
  uint64_t bytes;
  uint32_t holder; /* see spaces.h */
};

struct declared_pool {
  struct declared_pool *next;
  const void *identity; /* null once it is destroyed */
  struct block *blocks; /* last handed out first */
  uint64_t offset;      /* of its item */
  struct memshape_record_pool_figures figures;
  char name[LongestName + 1];
};

static struct declared_pool *Pools;
static struct block **Buckets;
static size_t BucketCount, BlockCount;

static int enter(struct memshape_section *section) {
  if (memshape_count_calls(section))
    return 1;
  if (memshape_counting()) /* in a signal handler amid accounting */
    __atomic_fetch_add(&memshape_runtime.header->lost_operations, 1, __ATOMIC_RELAXED);
  return 0;
}

static struct declared_pool *poolAt(const void *identity) {
  struct declared_pool *pool = Pools;
  while (pool && pool->identity != identity)
    pool = pool->next;
  return pool;
}

/* Without an item, as when the record is full, the pool's blocks still count in their space. */
static void makeItem(struct declared_pool *pool) {
  size_t text = (strlen(pool->name) + 8) & ~(size_t)7;
  struct memshape_record_pool *item = memshape_record_append(MEMSHAPE_RECORD_POOL, sizeof *item + text);
  if (!item)
    return;
  memcpy(item + 1, pool->name, strlen(pool->name));
  item->figures = pool->figures;
  pool->offset =
      memshape_record_publish(item, memshape_record_checksum(MEMSHAPE_RECORD_CHECKSUM_START, item + 1, text));
}

static void show(const struct declared_pool *pool) {
  if (pool->offset)
    ((struct memshape_record_pool *)memshape_record_at(pool->offset))->figures = pool->figures;
}

static struct block **bucketOf(struct block **buckets, size_t count, const struct declared_pool *pool,
                               uintptr_t address) {
  return &buckets[(((uint64_t)address ^ (uint64_t)(uintptr_t)pool << 7) * 0x9e3779b97f4a7c15u >> 24) & (count - 1)];
}

static int growBuckets(void) {
  size_t count = BucketCount ? 2 * BucketCount : 256;
  struct block **fresh = memshape_pool_get(count * sizeof *fresh);
  if (!fresh)
    return BucketCount != 0;
  memset(fresh, 0, count * sizeof *fresh);
  for (size_t i = 0; i < BucketCount; ++i)
    for (struct block *block = Buckets[i], *next; block; block = next) {
      struct block **bucket = bucketOf(fresh, count, block->pool, block->address);
      next = block->next;
      block->next = *bucket;
      *bucket = block;
    }
  if (Buckets)
    memshape_pool_put(Buckets, BucketCount * sizeof *Buckets);
  Buckets = fresh;
  BucketCount = count;
  return 1;
}

/* The place that refers to a block in its bucket; what is there is null where the pool has no block at this address. */
static struct block **find(const struct declared_pool *pool, uintptr_t address) {
  static struct block *nothing;
  if (!BucketCount)
    return &nothing;
  struct block **place = bucketOf(Buckets, BucketCount, pool, address);
  while (*place && ((*place)->address != address || (*place)->pool != pool))
    place = &(*place)->next;
  return place;
}

static void forget(struct declared_pool *pool, struct block **place) {
  struct block *block = *place;
  *place = block->next;
  *block->in_place = block->older;
  if (block->older)
    block->older->in_place = block->in_place;
  memshape_space_change(block->holder, MEMSHAPE_FREE, 0, block->bytes);
  pool->figures.live -= (int64_t)block->bytes;
  ++pool->figures.frees;
  --BlockCount;
  memshape_pool_put(block, sizeof *block);
}

static void forgetAll(struct declared_pool *pool) {
  while (pool->blocks)
    forget(pool, find(pool, pool->blocks->address));
}

EXPORT void memshape_annotate_pool_create(const void *identity, const char *name) {
  struct memshape_section section;
  if (!identity || !enter(&section))
    return;
  struct declared_pool *pool = poolAt(identity);
  if (pool) { /* its end was not declared */
    forgetAll(pool);
    show(pool);
    pool->identity = NULL;
  }
  if ((pool = memshape_pool_get(sizeof *pool))) {
    memset(pool, 0, sizeof *pool);
    memcpy(pool->name, name, strnlen(name, LongestName));
    pool->identity = identity;
    pool->next = Pools;
    Pools = pool;
    makeItem(pool);
  }
  memshape_section_leave(&memshape_self, &section);
}

EXPORT void memshape_annotate_pool_holds(const void *identity, size_t bytes) {
  struct memshape_section section;
  if (!identity || !enter(&section))
    return;
  struct declared_pool *pool = poolAt(identity);
  if (pool) {
    pool->figures.held = bytes;
    if (bytes > pool->figures.held_peak)
      pool->figures.held_peak = bytes;
    show(pool);
  }
  memshape_section_leave(&memshape_self, &section);
}

static void handOut(struct declared_pool *pool, uintptr_t address, size_t bytes, const struct memshape_site *site) {
  struct block **known = find(pool, address), *block = NULL;
  if (*known) /* the same address again: a free that was not declared */
    forget(pool, known);
  if ((BlockCount < BucketCount || growBuckets()) && (block = memshape_pool_get(sizeof *block))) {
    struct block **bucket = bucketOf(Buckets, BucketCount, pool, address);
    *block = (struct block){*bucket, pool->blocks, &pool->blocks, pool, address, bytes, 0};
    block->holder = memshape_space_holder(MEMSHAPE_SPACE_POOL, site, NULL);
    if (pool->blocks)
      pool->blocks->in_place = &block->older;
    pool->blocks = *bucket = block;
    ++BlockCount;
    memshape_space_change(block->holder, MEMSHAPE_ALLOCATION, bytes, 0);
    pool->figures.live += (int64_t)bytes;
    if (pool->figures.live > pool->figures.peak)
      pool->figures.peak = pool->figures.live;
    pool->figures.total += bytes;
    ++pool->figures.allocations;
  } else {
    ++memshape_runtime.header->lost_operations;
  }
}

EXPORT void memshape_annotate_pool_alloc(const void *identity, const void *address, size_t bytes,
                                         const struct memshape_site *site) {
  struct memshape_section section;
  if (!identity || !address || !enter(&section))
    return;
  struct declared_pool *pool = poolAt(identity);
  if (pool) {
    handOut(pool, (uintptr_t)address, bytes, site);
    show(pool);
  }
  memshape_section_leave(&memshape_self, &section);
}

EXPORT void memshape_annotate_pool_free(const void *identity, const void *address) {
  struct memshape_section section;
  if (!identity || !address || !enter(&section))
    return;
  struct declared_pool *pool = poolAt(identity);
  struct block **place = pool ? find(pool, (uintptr_t)address) : NULL;
  if (place && *place) {
    forget(pool, place);
    show(pool);
  }
  memshape_section_leave(&memshape_self, &section);
}

static void empty(const void *identity, int for_good) {
  struct memshape_section section;
  if (!identity || !enter(&section))
    return;
  struct declared_pool *pool = poolAt(identity);
  if (pool) {
    forgetAll(pool);
    if (for_good) {
      pool->figures.held = 0;
      pool->identity = NULL;
    }
    show(pool);
  }
  memshape_section_leave(&memshape_self, &section);
}

EXPORT void memshape_annotate_pool_clear(const void *identity) { empty(identity, 0); }
EXPORT void memshape_annotate_pool_destroy(const void *identity) { empty(identity, 1); }

void memshape_pools_forked(void) {
  for (struct declared_pool *pool = Pools; pool; pool = pool->next) {
    struct memshape_record_pool_figures *figures = &pool->figures;
    figures->peak = figures->live;
    figures->held_peak = figures->held;
    figures->total = figures->allocations = figures->frees = 0;
    pool->offset = 0;
    if (pool->identity)
      makeItem(pool);
  }
}
