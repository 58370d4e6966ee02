// Requested bytes of a program, counted from outside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For LD_PRELOAD. It shares nothing with memshape's runtime, so that what the two say can be held against each other.
// Between count_begin and count_end it counts what all threads request: the peak of live bytes beyond those at the
// begin, their sum, the number of requests, and what is left. Blocks are kept in a table of address and size.

#include "count.h"
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *block, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *block);

/// Open addressing; room for 16 Mi blocks, of which pages are taken as they are used.
enum { Bits = 25, Slots = 1 << Bits };
static const uintptr_t Gone = 1;
static struct Block {
  uintptr_t address;
  size_t bytes;
} *table;
static atomic_flag busy = ATOMIC_FLAG_INIT;
static int counting;
static int64_t live;
static struct count counted;

static void lock(void) {
  while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire))
    ;
  if (!table)
    table = mmap(0, sizeof(struct Block) * (size_t)Slots, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
}
static void unlock(void) { atomic_flag_clear_explicit(&busy, memory_order_release); }

static struct Block *slotOf(uintptr_t address, int forNew) {
  size_t at = (address >> 4) * UINT64_C(0x9E3779B97F4A7C15) >> (64 - Bits);
  while (table[at].address != address && table[at].address && !(forNew && table[at].address == Gone))
    at = (at + 1) & (Slots - 1);
  return &table[at];
}

static void came(void *block, size_t bytes, int moved) {
  struct Block *slot = slotOf((uintptr_t)block, 1);
  slot->address = (uintptr_t)block;
  slot->bytes = bytes;
  if (!counting)
    return;
  live += (int64_t)bytes;
  counted.total += bytes;
  counted.requests += !moved;
  counted.reallocations += moved;
  if (live > counted.peak)
    counted.peak = live;
}

/// The bytes of a block that is freed; 0 if its allocation was not seen.
static size_t went(void *block) {
  struct Block *slot = slotOf((uintptr_t)block, 0);
  if (slot->address != (uintptr_t)block)
    return 0;
  slot->address = Gone;
  if (counting)
    live -= (int64_t)slot->bytes;
  return slot->bytes;
}

static void *noted(void *block, size_t bytes) {
  if (!block)
    return block;
  lock();
  came(block, bytes, 0);
  unlock();
  return block;
}

void *malloc(size_t bytes) { return noted(__libc_malloc(bytes), bytes); }
void *calloc(size_t count, size_t bytes) { return noted(__libc_calloc(count, bytes), count * bytes); }
void *memalign(size_t alignment, size_t bytes) { return noted(__libc_memalign(alignment, bytes), bytes); }
void *aligned_alloc(size_t alignment, size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void **out, size_t alignment, size_t bytes) {
  if (alignment < sizeof(void *) || (alignment & (alignment - 1)))
    return EINVAL;
  void *block = memalign(alignment, bytes);
  if (!block)
    return ENOMEM;
  *out = block;
  return 0;
}
void free(void *block) {
  if (!block)
    return;
  lock();
  went(block);
  unlock();
  __libc_free(block);
}
void *realloc(void *block, size_t bytes) {
  if (!block)
    return malloc(bytes);
  if (!bytes) {
    free(block);
    return 0;
  }
  // The old address may be another thread's as soon as it is free, so that all of this is one step.
  lock();
  void *moved = __libc_realloc(block, bytes);
  if (moved) {
    went(block);
    came(moved, bytes, 1);
  }
  unlock();
  return moved;
}

void count_begin(void) {
  lock();
  counted = (struct count){0};
  live = 0;
  counting = 1;
  unlock();
}
struct count count_end(void) {
  lock();
  counting = 0;
  counted.left = live;
  struct count out = counted;
  unlock();
  return out;
}
