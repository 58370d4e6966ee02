/* mmap and its kin.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Counts address ranges that the program and its libraries map, in whole pages, in the space `mapped`. Not counted are:
   what the allocator maps for its heap (its blocks are counted); what the C library and the loader map for themselves
   (these calls are not interposed); reservations without access, which hold no memory; the runtime's own mappings.

   A later call may unmap any part of a range, each of which has its holder (tables/ranges.h):

       mmap    what lay there is free, then one allocation      munmap    each piece that goes is a free
       mremap  a reallocation                                   sbrk      an allocation or, downwards, a free

   A range is forgotten before it is unmapped: afterwards another thread may already have mapped it anew. */

#include "count/count.h"
#include "count/spaces.h"
#include "count/start.h"
#include "intercept/forward.h"
#include "tables/ranges.h"
#include "trap/mappings.h"
#include "trap/trap.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

static struct memshape_ranges Ranges;

/* Forgets all ranges between the two addresses. Returns their bytes. Counts them as freed if `counted` is set. Writes
   the holder of the last range to `holder`. */
static uint64_t forget(uintptr_t from, uintptr_t to, int counted, uint32_t *holder) {
  struct memshape_range piece;
  uint64_t sum = 0;
  for (int taken; (taken = memshape_ranges_take(&Ranges, from, to, &piece)) != 0;) {
    *holder = piece.holder;
    sum += piece.to - piece.from;
    if (counted)
      memshape_space_change(piece.holder, MEMSHAPE_FREE, 0, piece.to - piece.from);
    if (taken < 0)
      ++memshape_runtime.header->lost_operations;
  }
  return sum;
}

static void put(uintptr_t from, uintptr_t to, uint32_t holder) {
  if (!memshape_ranges_add(&Ranges, (struct memshape_range){from, to, holder}))
    ++memshape_runtime.header->lost_operations;
}

static uintptr_t roundUp(uintptr_t bytes) {
  static uintptr_t known;
  uintptr_t page = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!page)
    __atomic_store_n(&known, page = (uintptr_t)sysconf(_SC_PAGESIZE), __ATOMIC_RELAXED);
  return (bytes + page - 1) & ~(page - 1);
}

/* Whether a call from `caller` is counted; then in a section. */
static int enter(const void *caller, struct memshape_section *section) {
  if (memshape_self.bypass || (!memshape_counting() && !memshape_start()) || memshape_is_of_allocator(caller))
    return 0;
  if (memshape_section_enter(&memshape_self, section))
    return 1;
  __atomic_fetch_add(&memshape_runtime.header->lost_operations, 1, __ATOMIC_RELAXED); /* in a signal handler */
  return 0;
}

static void came(uintptr_t from, uintptr_t bytes, const void *caller) {
  struct memshape_section section;
  uint32_t holder;
  int saved = errno;
  if (!memshape_device_depth && enter(caller, &section)) {
    forget(from, from + bytes, 1, &holder);
    holder = memshape_space_holder(MEMSHAPE_SPACE_MAPPED, memshape_space_pending, caller);
    memshape_space_pending = NULL;
    memshape_space_change(holder, MEMSHAPE_ALLOCATION, bytes, 0);
    put(from, from + bytes, holder);
    memshape_section_leave(&memshape_self, &section);
  }
  errno = saved;
}

static void goes(uintptr_t from, uintptr_t bytes, const void *caller) {
  struct memshape_section section;
  uint32_t holder;
  int saved = errno;
  if (Ranges.count && enter(caller, &section)) {
    forget(from, from + bytes, 1, &holder);
    memshape_section_leave(&memshape_self, &section);
  }
  errno = saved;
}

static void *systemMap(void *hint, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  return (void *)syscall(SYS_mmap, hint, bytes, protection, flags, descriptor, offset);
}

/* While allocations are watched: memory of the program, not of a file. An allocator holds its locks. */
static int isTrapped(int protection, int flags, const void *caller) {
  return memshape_trap_is_set() && (protection & PROT_WRITE) && (flags & MAP_PRIVATE) && (flags & MAP_ANONYMOUS) &&
         !memshape_is_of_allocator(caller);
}

static void *trappedMap(void *hint, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  struct memshape_attempt attempt;
  void *block;
  int64_t came = 0;
  memshape_attempt_begin(&attempt, bytes);
  do
    block = systemMap(hint, bytes, protection, flags, descriptor, offset);
  while (block == MAP_FAILED && errno == ENOMEM && memshape_attempt_failed(&attempt));
  if (block != MAP_FAILED) {
    uintptr_t from = (uintptr_t)block, to = from + roundUp(bytes);
    came = -(int64_t)memshape_mappings_remove(from, to);
    came += memshape_mappings_add(from, to) ? (int64_t)(to - from) : 0;
  }
  memshape_attempt_end(&attempt, came);
  return block;
}

EXPORT void *mmap(void *hint, size_t bytes, int protection, int flags, int descriptor, off_t offset) {
  void *block = isTrapped(protection, flags, CALLER) ? trappedMap(hint, bytes, protection, flags, descriptor, offset)
                                                     : systemMap(hint, bytes, protection, flags, descriptor, offset);
  if (block == MAP_FAILED || protection == PROT_NONE) /* the allocation that the hook announced has happened */
    memshape_space_pending = memshape_device_depth ? memshape_space_pending : NULL;
  if (block == MAP_FAILED)
    return block;
  if (protection != PROT_NONE)
    came((uintptr_t)block, roundUp(bytes), CALLER);
  else if (flags & MAP_FIXED) /* MAP_FIXED replaced what was mapped there */
    goes((uintptr_t)block, roundUp(bytes), CALLER);
  return block;
}

EXPORT void *mmap64(void *, size_t, int, int, int, off_t) __attribute__((alias("mmap")));

EXPORT int munmap(void *block, size_t bytes) {
  if (roundUp((uintptr_t)block) == (uintptr_t)block && bytes) /* else munmap fails */
    goes((uintptr_t)block, roundUp(bytes), CALLER);
  if (memshape_trap_is_set())
    memshape_trap_freed((int64_t)memshape_mappings_remove((uintptr_t)block, (uintptr_t)block + roundUp(bytes)));
  return (int)syscall(SYS_munmap, block, bytes);
}

/* mremap with a fixed number of parameters. */
static void *move(void *old, size_t oldBytes, size_t bytes, int flags, void *to, const void *caller) {
  struct memshape_section section;
  uintptr_t from = (uintptr_t)old, known = 0;
  uint32_t holder = 0;
  int stays = oldBytes == 0 || (flags & ~(MREMAP_MAYMOVE | MREMAP_FIXED)) != 0; /* a second mapping of the pages */
  if (Ranges.count && !stays && enter(caller, &section)) {
    known = forget(from, from + roundUp(oldBytes), 0, &holder);
    memshape_section_leave(&memshape_self, &section);
  }
  void *moved = (void *)syscall(SYS_mremap, old, oldBytes, bytes, flags, to);
  int saved = errno;
  if (stays && moved != MAP_FAILED) {
    came((uintptr_t)moved, roundUp(bytes), caller);
  } else if (known && enter(caller, &section)) {
    uintptr_t start = moved == MAP_FAILED ? from : (uintptr_t)moved;
    uintptr_t end = start + (moved == MAP_FAILED ? known : roundUp(bytes));
    uint32_t other;
    if (moved != MAP_FAILED) {
      forget(start, end, 1, &other);
      memshape_space_change(holder, MEMSHAPE_REALLOCATION, end - start, known);
    }
    put(start, end, holder);
    memshape_section_leave(&memshape_self, &section);
  }
  errno = saved;
  return moved;
}

static void *trappedMove(void *old, size_t oldBytes, size_t bytes, int flags, void *to, const void *caller) {
  struct memshape_attempt attempt;
  void *moved;
  int64_t came = 0;
  memshape_attempt_begin(&attempt, bytes > oldBytes ? bytes - oldBytes : 0);
  do
    moved = move(old, oldBytes, bytes, flags, to, caller);
  while (moved == MAP_FAILED && errno == ENOMEM && memshape_attempt_failed(&attempt));
  if (moved != MAP_FAILED && oldBytes) {
    uintptr_t from = (uintptr_t)moved, until = from + roundUp(bytes);
    came = -(int64_t)memshape_mappings_remove((uintptr_t)old, (uintptr_t)old + roundUp(oldBytes));
    if (came && memshape_mappings_add(from, until)) /* else it was no memory of the program */
      came += (int64_t)(until - from);
  }
  memshape_attempt_end(&attempt, came);
  return moved;
}

EXPORT void *mremap(void *old, size_t oldBytes, size_t bytes, int flags, ...) {
  va_list more;
  va_start(more, flags);
  void *to = flags & ~MREMAP_MAYMOVE ? va_arg(more, void *) : NULL;
  va_end(more);
  return memshape_trap_is_set() && !memshape_is_of_allocator(CALLER)
             ? trappedMove(old, oldBytes, bytes, flags, to, CALLER)
             : move(old, oldBytes, bytes, flags, to, CALLER);
}

/* The break is one range that grows and shrinks at its end. The C library knows where it ends. */
static void breakMoved(uintptr_t before, uintptr_t after, const void *caller) {
  if (after > before)
    came(before, after - before, caller);
  else if (after < before)
    goes(after, before - after, caller);
}

EXPORT void *sbrk(intptr_t change) {
  static void *(*next)(intptr_t);
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "sbrk");
  void *before = next(change);
  if (before != (void *)-1)
    breakMoved((uintptr_t)before, (uintptr_t)before + (uintptr_t)change, CALLER);
  return before;
}

EXPORT int brk(void *end) {
  static int (*next)(void *);
  static void *(*where)(intptr_t);
  if (!where)
    *(void **)&where = dlsym(RTLD_NEXT, "sbrk");
  if (!next)
    *(void **)&next = dlsym(RTLD_NEXT, "brk");
  uintptr_t before = (uintptr_t)where(0);
  int status = next(end);
  if (status == 0)
    breakMoved(before, (uintptr_t)end, CALLER);
  return status;
}
