/* Allocators that a program has declared.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/pools.h"
#include "count/sites.h"
#include "count/spaces.h"
#include "count/start.h"
#include "record/recordfile.h"
#include "tables/pool.h"
#include "tables/table.h"

#define EXPORT __attribute__((visibility("default")))

enum { LongestName = 255 };

struct block {
  struct memshape_entry entry;
  struct block *older, **in_place; /* among the blocks of its pool; what refers to this one there */
  const struct declared_pool *pool;
  uintptr_t address;
  uint64_t bytes;
  uint32_t holder; /* see spaces.h */
};

/* All pools of one name, which is what the record lists: a program may make and destroy thousands of pools. */
struct pool_kind {
  struct pool_kind *next;
  uint64_t offset; /* of its item */
  struct memshape_record_pool_figures figures;
  char name[LongestName + 1];
};

struct declared_pool {
  struct declared_pool *next;
  const void *identity;
  struct pool_kind *kind;
  uint64_t held;
  struct block *blocks; /* last handed out first */
};

static struct pool_kind *Kinds;
static struct declared_pool *Pools;
static struct memshape_table Blocks;

static int enter(struct memshape_section *section) {
  if (memshape_count_calls(section))
    return 1;
  if (memshape_counting()) /* in a signal handler amid accounting */
    __atomic_fetch_add(&memshape_runtime.header->lost_operations, 1, __ATOMIC_RELAXED);
  return 0;
}

/* The link that refers to a pool; it is null where the pool was not declared. */
static struct declared_pool **placeOf(const void *identity) {
  struct declared_pool **place = &Pools;
  while (*place && (*place)->identity != identity)
    place = &(*place)->next;
  return place;
}

/* Without an item, as when the record is full, the pool's blocks still count in their space. */
static void makeItem(struct pool_kind *kind) {
  size_t text = (strlen(kind->name) + 8) & ~(size_t)7;
  struct memshape_record_pool *item = memshape_record_append(MEMSHAPE_RECORD_POOL, sizeof *item + text);
  if (!item)
    return;
  memcpy(item + 1, kind->name, strlen(kind->name));
  item->figures = kind->figures;
  kind->offset =
      memshape_record_publish(item, memshape_record_checksum(MEMSHAPE_RECORD_CHECKSUM_START, item + 1, text));
}

static struct pool_kind *kindNamed(const char *name) {
  struct pool_kind *kind = Kinds;
  while (kind && strncmp(kind->name, name, LongestName) != 0)
    kind = kind->next;
  if (!kind && (kind = memshape_pool_get(sizeof *kind))) {
    memset(kind, 0, sizeof *kind);
    memcpy(kind->name, name, strnlen(name, LongestName));
    kind->next = Kinds;
    Kinds = kind;
    makeItem(kind);
  }
  return kind;
}

static void show(const struct declared_pool *pool) {
  if (pool->kind->offset)
    ((struct memshape_record_pool *)memshape_record_at(pool->kind->offset))->figures = pool->kind->figures;
}

static void hold(struct declared_pool *pool, uint64_t bytes) {
  struct memshape_record_pool_figures *figures = &pool->kind->figures;
  figures->held += bytes - pool->held;
  pool->held = bytes;
  if (figures->held > figures->held_peak)
    figures->held_peak = figures->held;
}

static uint64_t hashOf(const struct declared_pool *pool, uintptr_t address) {
  return ((uint64_t)address ^ (uint64_t)(uintptr_t)pool << 7) * 0x9e3779b97f4a7c15u >> 24;
}

/* The link that refers to a block in its bucket; it is null where the pool has no block at this address. */
static struct memshape_entry **find(const struct declared_pool *pool, uintptr_t address) {
  struct memshape_entry **place = memshape_table_bucket(&Blocks, hashOf(pool, address));
  for (const struct block *block; (block = (const struct block *)*place); place = &(*place)->next)
    if (block->address == address && block->pool == pool)
      break;
  return place;
}

static void forget(struct declared_pool *pool, struct memshape_entry **place) {
  struct block *block = (struct block *)memshape_table_remove(&Blocks, place);
  *block->in_place = block->older;
  if (block->older)
    block->older->in_place = block->in_place;
  memshape_space_change(block->holder, MEMSHAPE_FREE, 0, block->bytes);
  pool->kind->figures.live -= (int64_t)block->bytes;
  ++pool->kind->figures.frees;
  memshape_pool_put(block, sizeof *block);
}

static void forgetAll(struct declared_pool *pool) {
  while (pool->blocks)
    forget(pool, find(pool, pool->blocks->address));
}

static void destroy(struct declared_pool **place) {
  struct declared_pool *pool = *place;
  forgetAll(pool);
  hold(pool, 0);
  show(pool);
  *place = pool->next;
  memshape_pool_put(pool, sizeof *pool);
}

EXPORT void memshape_annotate_pool_create(const void *identity, const char *name) {
  struct memshape_section section;
  if (!identity || !enter(&section))
    return;
  struct declared_pool **place = placeOf(identity), *pool = NULL;
  if (*place) /* its end was not declared */
    destroy(place);
  struct pool_kind *kind = kindNamed(name);
  if (kind && (pool = memshape_pool_get(sizeof *pool))) {
    *pool = (struct declared_pool){Pools, identity, kind, 0, NULL};
    Pools = pool;
  }
  memshape_section_leave(&memshape_self, &section);
}

EXPORT void memshape_annotate_pool_holds(const void *identity, size_t bytes) {
  struct memshape_section section;
  if (!identity || !enter(&section))
    return;
  struct declared_pool *pool = *placeOf(identity);
  if (pool) {
    hold(pool, bytes);
    show(pool);
  }
  memshape_section_leave(&memshape_self, &section);
}

static void handOut(struct declared_pool *pool, uintptr_t address, size_t bytes, const struct memshape_site *site) {
  struct memshape_entry **known = find(pool, address);
  struct block *block = NULL;
  if (*known) /* the same address again: a free that was not declared */
    forget(pool, known);
  if (memshape_table_reserve(&Blocks) && (block = memshape_pool_get(sizeof *block))) {
    *block = (struct block){{NULL, hashOf(pool, address)}, pool->blocks, &pool->blocks, pool, address, bytes, 0};
    block->holder = memshape_space_holder(MEMSHAPE_SPACE_POOL, site, NULL);
    if (pool->blocks)
      pool->blocks->in_place = &block->older;
    pool->blocks = block;
    memshape_table_add(&Blocks, &block->entry);
    memshape_space_change(block->holder, MEMSHAPE_ALLOCATION, bytes, 0);
    struct memshape_record_pool_figures *figures = &pool->kind->figures;
    figures->live += (int64_t)bytes;
    if (figures->live > figures->peak)
      figures->peak = figures->live;
    figures->total += bytes;
    ++figures->allocations;
  } else {
    ++memshape_runtime.header->lost_operations;
  }
}

EXPORT void memshape_annotate_pool_alloc(const void *identity, const void *address, size_t bytes,
                                         const struct memshape_site *site) {
  struct memshape_section section;
  if (!identity || !address || !enter(&section))
    return;
  struct declared_pool *pool = *placeOf(identity);
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
  struct declared_pool *pool = *placeOf(identity);
  struct memshape_entry **place = pool ? find(pool, (uintptr_t)address) : NULL;
  if (place && *place) {
    forget(pool, place);
    show(pool);
  }
  memshape_section_leave(&memshape_self, &section);
}

EXPORT void memshape_annotate_pool_clear(const void *identity) {
  struct memshape_section section;
  if (!identity || !enter(&section))
    return;
  struct declared_pool *pool = *placeOf(identity);
  if (pool) {
    forgetAll(pool);
    show(pool);
  }
  memshape_section_leave(&memshape_self, &section);
}

EXPORT void memshape_annotate_pool_destroy(const void *identity) {
  struct memshape_section section;
  if (!identity || !enter(&section))
    return;
  struct declared_pool **place = placeOf(identity);
  if (*place)
    destroy(place);
  memshape_section_leave(&memshape_self, &section);
}

void memshape_pools_forked(void) {
  for (struct pool_kind *kind = Kinds; kind; kind = kind->next) {
    struct memshape_record_pool_figures *figures = &kind->figures;
    figures->peak = figures->live;
    figures->held_peak = figures->held;
    figures->total = figures->allocations = figures->frees = 0;
    kind->offset = 0;
    makeItem(kind);
  }
}
