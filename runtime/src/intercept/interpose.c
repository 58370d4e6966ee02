/* malloc and its family.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Every function forwards to the allocator below, unchanged in arguments and result, and counts what was requested:
     - a realloc of a block counts as a reallocation: live changes by new minus old, the total grows by new;
     - realloc of null is an allocation; realloc to 0 that gives no block back is a free;
     - pvalloc counts whole pages, for that is what its caller asks for.
   strdup, getline, operator new and the like reach these functions from their libraries. */

#include "count/heap.h"
#include "count/start.h"
#include "intercept/forward.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define LIKELY(condition) __builtin_expect(!!(condition), 1)
#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define CALLER __builtin_return_address(0)

void *malloc(size_t);
void free(void *);
void *calloc(size_t, size_t);
void *realloc(void *, size_t);
void *reallocarray(void *, size_t, size_t);
void *aligned_alloc(size_t, size_t);
void *memalign(size_t, size_t);
int posix_memalign(void **, size_t, size_t);
void *valloc(size_t);
void *pvalloc(size_t);

/* 0: this thread is looking the allocator up at this moment. */
static int ready(void) {
  return LIKELY(__atomic_load_n((void **)&memshape_allocator.malloc, __ATOMIC_ACQUIRE) != NULL) ||
         memshape_allocator_find();
}

/* Not 0: there is an allocator, and operations are counted in this mode. */
static inline int countedMode(void) {
  int mode = memshape_mode();
  return LIKELY(mode >= MEMSHAPE_TOTALS) ? mode : 0;
}

/* The same, where counting may begin with this operation. */
static int mayCount(void) { return memshape_counting() || (memshape_mode() == MEMSHAPE_UNDECIDED && memshape_start()); }

static void *counted(void *block, size_t bytes, const void *caller) {
  if (!block)
    memshape_self.pending = NULL; /* the allocation that the hook announced has happened */
  else
    memshape_allocated(block, bytes, caller, memshape_mode());
  return block;
}

static __attribute__((cold, noinline)) void *startWithMalloc(size_t bytes, const void *caller) {
  if (!ready())
    return memshape_start_buffer_get(bytes);
  return mayCount() ? counted(memshape_allocator.malloc(bytes), bytes, caller) : memshape_allocator.malloc(bytes);
}

EXPORT void *malloc(size_t bytes) {
  int mode = countedMode();
  if (UNLIKELY(!mode))
    return startWithMalloc(bytes, CALLER);
  void *block = memshape_allocator.malloc(bytes);
  if (UNLIKELY(!block)) {
    memshape_self.pending = NULL;
    return NULL;
  }
  if (LIKELY(mode == MEMSHAPE_TOTALS))
    memshape_allocated(block, bytes, CALLER, MEMSHAPE_TOTALS);
  else
    memshape_allocated(block, bytes, CALLER, MEMSHAPE_CALLS);
  return block;
}

#ifndef MEMSHAPE_WRAPPED /* with --wrap the linker leaves one family of functions */
/* A plain `malloc` would mean the first definition in the program. */
extern void *memshape_own_malloc(size_t) __attribute__((alias("malloc"), visibility("hidden")));

static int Probed;
static void *probe(size_t bytes) {
  Probed = 1;
  return NULL;
}

/* Whether a call of a function called malloc comes out here. While the program has one thread: this is asked before it
   runs. */
static int reachesRuntime(void *(*volatile function)(size_t)) {
  Probed = 0;
  void *(*real)(size_t) = memshape_allocator.malloc;
  memshape_allocator.malloc = probe;
  void *block = function(1);
  memshape_allocator.malloc = real;
  if (block) /* free is redirected as malloc is */
    free(block);
  return Probed;
}

/* Tools of valgrind that replace malloc redirect every call of it to their own, unless an option tells them to leave
   user-defined allocators alone. Only a call shows whether they do. */
static int isReplacedByValgrind(void) {
  const char *preloaded = getenv("LD_PRELOAD");
  return preloaded && strstr(preloaded, "vgpreload_") && ready() && !reachesRuntime(memshape_own_malloc);
}

/* An executable that is not position independent and takes malloc's address is given one inside itself: a stub, which
   jumps to the first definition. Interpreters of Python are linked so. */
static int isStub(void *function) {
  Dl_info found;
  const ElfW(Sym) *symbol = NULL;
  return dladdr1(function, &found, (void **)&symbol, RTLD_DL_SYMENT) && symbol && symbol->st_shndx == SHN_UNDEF;
}

enum memshape_shadow memshape_is_shadowed(void) {
  void *first = dlsym(RTLD_DEFAULT, "malloc"), *runtime = dlsym(RTLD_DEFAULT, "memshape_attach");
  if (first && first != (void *)(uintptr_t)memshape_own_malloc &&
      !(isStub(first) && ready() && reachesRuntime((void *(*)(size_t))(uintptr_t)first)))
    return runtime && runtime != (void *)(uintptr_t)memshape_attach ? MEMSHAPE_BY_RUNTIME : MEMSHAPE_BY_ALLOCATOR;
  return isReplacedByValgrind() ? MEMSHAPE_BY_VALGRIND : MEMSHAPE_NOT_SHADOWED;
}
#endif

EXPORT void free(void *block) {
  struct memshape_block known;
  int mode = countedMode();
  if (UNLIKELY(!block))
    return;
  if (LIKELY(mode == MEMSHAPE_TOTALS) && LIKELY(memshape_block_take(block, &known, 0)))
    memshape_freeing(&known, MEMSHAPE_TOTALS);
  else if (mode == MEMSHAPE_CALLS && memshape_block_take(block, &known, 1))
    memshape_freeing(&known, MEMSHAPE_CALLS);
  else if (memshape_in_start_buffer(block) || !ready())
    return;
  memshape_allocator.free(block);
}

EXPORT void *calloc(size_t count, size_t size) {
  if (UNLIKELY(!ready()))
    return memshape_start_buffer_get(size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
  if (!mayCount())
    return memshape_allocator.calloc(count, size);
  return counted(memshape_allocator.calloc(count, size), count * size, CALLER); /* there is a block, so the product has
                                                                                   not overflowed */
}

/* A block of the start buffer moves to the heap. Its size is unknown, so all bytes up to the buffer's end are
   copied. */
static void *leaveStartBuffer(void *block, size_t bytes, const void *caller) {
  size_t rest = (size_t)(memshape_start_buffer + MEMSHAPE_START_BUFFER - (char *)block);
  void *moved =
      mayCount() ? counted(memshape_allocator.malloc(bytes), bytes, caller) : memshape_allocator.malloc(bytes);
  if (moved)
    memcpy(moved, block, bytes < rest ? bytes : rest);
  return moved;
}

static void *resize(void *block, size_t bytes, const void *caller) {
  struct memshape_block old;
  if (UNLIKELY(!ready())) {
    void *moved = memshape_start_buffer_get(bytes);
    if (moved && block && memshape_in_start_buffer(block))
      memmove(moved, block,
              (size_t)((char *)moved - (char *)block) < bytes ? (size_t)((char *)moved - (char *)block) : bytes);
    return moved;
  }
  if (UNLIKELY(block && memshape_in_start_buffer(block)))
    return leaveStartBuffer(block, bytes, caller);
  if (!mayCount())
    return memshape_allocator.realloc(block, bytes);
  if (!block)
    return counted(memshape_allocator.realloc(NULL, bytes), bytes, caller);
  /* Forgotten before the call: once the old address is free, another thread may be given it. */
  int known = memshape_resizing(block, &old);
  void *moved = memshape_allocator.realloc(block, bytes);
  if (moved)
    memshape_resized(moved, bytes, &old, known, caller);
  else if (bytes == 0)
    memshape_resized(NULL, 0, &old, known, caller);
  else
    memshape_not_resized(block, &old, known);
  return moved;
}

EXPORT void *realloc(void *block, size_t bytes) { return resize(block, bytes, CALLER); }

EXPORT void *reallocarray(void *block, size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    memshape_self.pending = NULL;
    errno = ENOMEM;
    return NULL;
  }
  return resize(block, bytes, CALLER);
}

EXPORT void *aligned_alloc(size_t alignment, size_t bytes) {
  if (UNLIKELY(!ready()))
    return NULL;
  void *block = memshape_allocator.aligned_alloc(alignment, bytes);
  return mayCount() ? counted(block, bytes, CALLER) : block;
}

EXPORT void *memalign(size_t alignment, size_t bytes) {
  if (UNLIKELY(!ready()))
    return NULL;
  void *block = memshape_allocator.memalign(alignment, bytes);
  return mayCount() ? counted(block, bytes, CALLER) : block;
}

EXPORT int posix_memalign(void **place, size_t alignment, size_t bytes) {
  if (UNLIKELY(!ready()))
    return ENOMEM;
  int status = memshape_allocator.posix_memalign(place, alignment, bytes);
  if (mayCount())
    counted(status == 0 ? *place : NULL, bytes, CALLER);
  return status;
}

EXPORT void *valloc(size_t bytes) {
  if (UNLIKELY(!ready()))
    return NULL;
  void *block = memshape_allocator.valloc(bytes);
  return mayCount() ? counted(block, bytes, CALLER) : block;
}

EXPORT void *pvalloc(size_t bytes) {
  if (UNLIKELY(!ready()))
    return NULL;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  void *block = memshape_allocator.pvalloc(bytes);
  return mayCount() ? counted(block, (bytes + page - 1) / page * page, CALLER) : block;
}
