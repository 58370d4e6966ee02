/* The allocator below, with the trap in front.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   interpose.c reaches the allocator through memshape_allocator. While a reclaimer is set, functions of this file stand
   there, and call the allocator themselves. So without one nothing is added to any call of malloc and free.

   Bytes are those that the allocator tells of its blocks (malloc_usable_size), for a block is freed without its size. */

#include "intercept/trapped.h"
#include "intercept/forward.h"
#include "tables/file.h"
#include "tables/lock.h"
#include "trap/mappings.h"
#include "trap/reserve.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct memshape_allocator Below;
static int CanMeasure, IsInFront;
static _Thread_local int Probed; /* malloc of this thread came out here */
static struct memshape_lock Lock;

int64_t memshape_block_bytes(void *block) {
  return block && CanMeasure && !memshape_in_reserve(block) ? (int64_t)malloc_usable_size(block) : 0;
}

/* What an attempt comes to. */
static void *end(struct memshape_attempt *attempt, void *block, size_t alignment) {
  if (!block && attempt->from_reserve)
    block = memshape_reserve_get(attempt->bytes, alignment);
  memshape_attempt_end(attempt, memshape_block_bytes(block));
  return block;
}

/* A function of the family that returns a block, or null with errno set. */
#define TRAPPED(NAME, PARAMETERS, BYTES, ALIGNMENT, CALL)                                                              \
  static void *NAME PARAMETERS {                                                                                       \
    struct memshape_attempt attempt;                                                                                   \
    void *block;                                                                                                       \
    Probed = 1;                                                                                                        \
    memshape_attempt_begin(&attempt, BYTES);                                                                           \
    do                                                                                                                 \
      block = CALL;                                                                                                    \
    while (__builtin_expect(!block, 0) && errno == ENOMEM && memshape_attempt_failed(&attempt));                       \
    return end(&attempt, block, ALIGNMENT);                                                                            \
  }

enum { Usual = _Alignof(max_align_t), Page = 4096 };

TRAPPED(trapped_malloc, (size_t bytes), bytes, Usual, Below.malloc(bytes))
TRAPPED(trapped_aligned_alloc, (size_t alignment, size_t bytes), bytes, alignment,
        Below.aligned_alloc(alignment, bytes))
TRAPPED(trapped_memalign, (size_t alignment, size_t bytes), bytes, alignment, Below.memalign(alignment, bytes))
TRAPPED(trapped_valloc, (size_t bytes), bytes, Page, Below.valloc(bytes))
TRAPPED(trapped_pvalloc, (size_t bytes), bytes, Page, Below.pvalloc(bytes))

static size_t product(size_t count, size_t size) {
  size_t bytes;
  return __builtin_mul_overflow(count, size, &bytes) ? SIZE_MAX : bytes;
}

TRAPPED(zeroed, (size_t count, size_t size), product(count, size), Usual, Below.calloc(count, size))

static void *trapped_calloc(size_t count, size_t size) {
  void *block = zeroed(count, size);
  if (block && memshape_in_reserve(block))
    memset(block, 0, count * size);
  return block;
}

static int trapped_posix_memalign(void **place, size_t alignment, size_t bytes) {
  struct memshape_attempt attempt;
  void *block = NULL;
  int status;
  memshape_attempt_begin(&attempt, bytes);
  do
    status = Below.posix_memalign(&block, alignment, bytes);
  while (status == ENOMEM && memshape_attempt_failed(&attempt));
  block = end(&attempt, status == 0 ? block : NULL, alignment);
  if (block)
    *place = block;
  return block ? 0 : status;
}

static void trapped_free(void *block) {
  if (__builtin_expect(block && memshape_in_reserve(block), 0)) {
    memshape_reserve_put(block);
    return;
  }
  memshape_trap_freed(memshape_block_bytes(block));
  Below.free(block);
}

/* Where realloc cannot work in place: the block, or the new one, is in the reserve. */
static void *moveBlock(void *to, void *from, size_t known, size_t bytes) {
  memcpy(to, from, known < bytes ? known : bytes);
  trapped_free(from);
  return to;
}

static void *trapped_realloc(void *block, size_t bytes) {
  struct memshape_attempt attempt;
  if (block && memshape_in_reserve(block)) {
    void *moved = bytes ? trapped_malloc(bytes) : NULL;
    if (moved)
      return moveBlock(moved, block, memshape_reserve_bytes(block), bytes);
    if (!bytes)
      trapped_free(block);
    return NULL;
  }
  int64_t before = memshape_block_bytes(block);
  void *moved;
  memshape_attempt_begin(&attempt, bytes);
  do
    moved = Below.realloc(block, bytes);
  while (__builtin_expect(!moved && bytes, 0) && errno == ENOMEM && memshape_attempt_failed(&attempt));
  if (!moved && bytes && attempt.from_reserve && (moved = memshape_reserve_get(bytes, Usual))) {
    memshape_attempt_end(&attempt, 0);
    return block ? moveBlock(moved, block, (size_t)before, bytes) : moved;
  }
  memshape_attempt_end(&attempt, moved || !bytes ? memshape_block_bytes(moved) - before : 0);
  return moved;
}

/*===-- Switching on and off ----------------------------------------------===*/

#define PUT(NAME, FUNCTION)                                                                                            \
  __atomic_store_n((void **)&memshape_allocator.NAME, (void *)(uintptr_t)(FUNCTION), __ATOMIC_RELEASE);
#define PUT_TRAPPED(RESULT, NAME, PARAMETERS) PUT(NAME, trapped_##NAME)
#define PUT_BELOW(RESULT, NAME, PARAMETERS) PUT(NAME, Below.NAME)

static void putInFront(void) {
  if (!IsInFront)
    Below = memshape_allocator;
  IsInFront = 1;
  MEMSHAPE_TAKERS(PUT_TRAPPED)
  MEMSHAPE_MAKERS(PUT_TRAPPED)
}

/* Blocks of the reserve may be freed later: then two functions stay. */
static void takeAway(void) {
  if (!IsInFront)
    return;
  MEMSHAPE_MAKERS(PUT_BELOW)
  if (!memshape_reserve_drop())
    return;
  MEMSHAPE_TAKERS(PUT_BELOW)
  IsInFront = 0;
}

/* Pages in memory that are the process's own, in bytes. */
static int64_t ownBytes(void) {
  char text[128];
  int file = memshape_file_open("/proc/self/statm", O_RDONLY);
  ssize_t length = file < 0 ? -1 : memshape_file_read(file, text, sizeof text - 1);
  if (file >= 0)
    memshape_file_close(file);
  if (length <= 0)
    return 0;
  text[length] = 0;
  char *at = text;
  strtoull(at, &at, 10); /* of address space */
  int64_t resident = (int64_t)strtoull(at, &at, 10), shared = (int64_t)strtoull(at, &at, 10);
  return (resident - shared) * (int64_t)sysconf(_SC_PAGESIZE);
}

/* The store of the parent, its threads and its files, are not here. */
static void inChild(void) {
  if (!memshape_trap_is_set())
    return;
  Lock.held = 0;
  memshape_reserve_forked();
  memshape_mappings_forked();
  memshape_trap_set(NULL, INT64_MAX, 0);
  takeAway();
}

static int reachesHere(void) {
  void *(*volatile function)(size_t) = malloc;
  Probed = 0;
  free(function(1));
  return Probed;
}

/* Whether blocks are measured by the library that they come from. */
static int measures(void) {
#ifdef MEMSHAPE_WRAPPED
  return 1;
#else
  return memshape_is_of_allocator((const void *)(uintptr_t)malloc_usable_size);
#endif
}

static int start(memshape_reclaimer *reclaimer, int64_t limit) {
  static int handlesForks;
  if (!handlesForks)
    handlesForks = pthread_atfork(NULL, NULL, inChild) == 0;
  if (!memshape_trap_is_set()) {
    memshape_mappings_forget();
    if (!IsInFront)
      CanMeasure = measures();
    putInFront();
    if (!reachesHere()) {
      takeAway();
      return 0;
    }
  }
  memshape_trap_set(reclaimer, limit, memshape_trap_is_set() ? -1 : ownBytes());
  return 1;
}

__attribute__((visibility("default"))) int memshape_reclaimer_set(memshape_reclaimer *reclaimer, uint64_t limit,
                                                                  size_t reserve) {
  int done = 1;
  if (!memshape_allocator.malloc && !memshape_allocator_find())
    return 0;
  memshape_lock_take(&Lock);
  if (!reclaimer) {
    memshape_trap_set(NULL, INT64_MAX, 0);
    takeAway();
  } else {
    done = memshape_reserve_make(reserve) && start(reclaimer, limit > INT64_MAX ? INT64_MAX : (int64_t)limit);
  }
  memshape_lock_give(&Lock);
  return done;
}
