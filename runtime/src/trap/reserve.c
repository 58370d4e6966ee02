/* Memory for those who free memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "trap/reserve.h"
#include "tables/lock.h"
#include "tables/pool.h"

#include <sys/mman.h>

struct memshape_reserve memshape_reserve;

/* A free part. */
struct part {
  size_t bytes;
  struct part *next; /* by address */
};

/* Right below a block. */
struct header {
  void *part;
  size_t bytes, asked, unused;
};

enum { Grain = 64 }; /* parts are multiples of it */

static struct memshape_lock Lock;
static struct part *Free;
static size_t BlocksOut;

static size_t roundUp(size_t bytes, size_t to) { return (bytes + to - 1) & ~(to - 1); }

static int drop(void) {
  if (BlocksOut)
    return 0;
  uintptr_t start = memshape_reserve.start, bytes = memshape_reserve.bytes;
  __atomic_store_n(&memshape_reserve.bytes, 0, __ATOMIC_RELAXED);
  Free = NULL;
  if (bytes)
    memshape_unmap((void *)start, bytes);
  return 1;
}

int memshape_reserve_make(size_t bytes) {
  memshape_lock_take(&Lock);
  bytes = roundUp(bytes, 4096);
  int made = 1;
  if (bytes > memshape_reserve.bytes && drop()) {
    void *pages = memshape_map(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    made = pages != MAP_FAILED;
    if (made) {
      Free = pages;
      *Free = (struct part){bytes, NULL};
      __atomic_store_n(&memshape_reserve.start, (uintptr_t)pages, __ATOMIC_RELAXED);
      __atomic_store_n(&memshape_reserve.bytes, bytes, __ATOMIC_RELAXED);
    }
  }
  memshape_lock_give(&Lock);
  return made;
}

int memshape_reserve_drop(void) {
  memshape_lock_take(&Lock);
  int dropped = drop();
  memshape_lock_give(&Lock);
  return dropped;
}

void memshape_reserve_forked(void) { Lock.held = 0; }

void *memshape_reserve_get(size_t bytes, size_t alignment) {
  char *block = NULL;
  if (bytes > memshape_reserve.bytes || alignment > memshape_reserve.bytes)
    return NULL;
  size_t before = alignment > sizeof(struct header) ? alignment : sizeof(struct header);
  size_t needed = roundUp(before + sizeof(struct header) + bytes, Grain);
  memshape_lock_take(&Lock);
  struct part **place = &Free;
  while (*place && (*place)->bytes < needed)
    place = &(*place)->next;
  if (*place) {
    struct part *taken = *place, *next = taken->next;
    if (taken->bytes > needed) {
      struct part *rest = (struct part *)((char *)taken + needed);
      *rest = (struct part){taken->bytes - needed, next};
      next = rest;
    }
    *place = next;
    ++BlocksOut;
    block = (char *)roundUp((uintptr_t)taken + sizeof(struct header), before);
    ((struct header *)block)[-1] = (struct header){taken, needed, bytes, 0};
  }
  memshape_lock_give(&Lock);
  return block;
}

/* Joins a part with the one behind it where they touch. */
static void join(struct part *part) {
  struct part *next = part->next;
  if (next && (char *)part + part->bytes == (char *)next)
    *part = (struct part){part->bytes + next->bytes, next->next};
}

void memshape_reserve_put(void *block) {
  struct header was = ((struct header *)block)[-1];
  struct part *freed = was.part, *before = NULL;
  memshape_lock_take(&Lock);
  struct part *next = Free;
  while (next && next < freed)
    before = next, next = next->next;
  *freed = (struct part){was.bytes, next};
  if (before)
    before->next = freed;
  else
    Free = freed;
  join(freed);
  if (before)
    join(before);
  --BlocksOut;
  memshape_lock_give(&Lock);
}

size_t memshape_reserve_bytes(const void *block) { return ((const struct header *)block)[-1].asked; }
