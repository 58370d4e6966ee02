/* What a program says about its own memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   For programs in C and C++, compiled with or without the flag. Nothing has to be linked: every function here is a weak
   reference, which `memshape run` or a linked runtime fills; without them it costs one load and one predicted branch.

       memshape_phase_begin("solve");            a part of the program's life: peak, total and counts of its own
       ...
       memshape_phase_end("solve");              in C++ also: MEMSHAPE_PHASE("solve"); until the end of the block

       memshape_pool_create(&arena, "arena");    an allocator of the program's own: it takes large blocks from
       memshape_pool_holds(&arena, 1 << 20);     malloc or mmap (this much now), and hands out small ones:
       memshape_pool_alloc(&arena, p, 48);
       memshape_pool_free(&arena, p);
       memshape_pool_clear(&arena);              all of its blocks at once
       memshape_pool_destroy(&arena);

   What a pool hands out is counted in the memory space `pool`, beside the heap and not in it: the heap goes on counting
   the large blocks, so nothing is counted twice. `pool` is any address that stands for the pool; blocks are known by
   theirs. A pool that was not created, and a block that the pool did not hand out, are ignored.
   In executables that are not position independent (-no-pie) weak references stay empty, unless they are linked with
   the runtime. */

#pragma once

#include <memshape/hooks.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The operator call that ended last on this thread: 1; 0 where none did. */
int memshape_annotate_last_call(struct memshape_call_figures *figures) __attribute__((weak));
/* The phase that this thread ended last, likewise. */
int memshape_annotate_last_phase(struct memshape_call_figures *figures) __attribute__((weak));

void memshape_annotate_phase_begin(const char *name) __attribute__((weak));
void memshape_annotate_phase_end(const char *name) __attribute__((weak));
void memshape_annotate_pool_create(const void *pool, const char *name) __attribute__((weak));
void memshape_annotate_pool_holds(const void *pool, size_t bytes) __attribute__((weak));
void memshape_annotate_pool_alloc(const void *pool, const void *block, size_t bytes, const struct memshape_site *site)
    __attribute__((weak));
void memshape_annotate_pool_free(const void *pool, const void *block) __attribute__((weak));
void memshape_annotate_pool_clear(const void *pool) __attribute__((weak));
void memshape_annotate_pool_destroy(const void *pool) __attribute__((weak));

#ifdef __cplusplus
}
#endif

/* A phase of the whole process, in all threads. Phases may nest and overlap; `name` may be entered many times, and ends
   with the last begin of that name. At the program's exit open phases end. */
static inline void memshape_phase_begin(const char *name) {
  if (memshape_annotate_phase_begin)
    memshape_annotate_phase_begin(name);
}

static inline void memshape_phase_end(const char *name) {
  if (memshape_annotate_phase_end)
    memshape_annotate_phase_end(name);
}

static inline void memshape_pool_create(const void *pool, const char *name) {
  if (memshape_annotate_pool_create)
    memshape_annotate_pool_create(pool, name);
}

/* The pool has `bytes` bytes from malloc, mmap or elsewhere at this moment. */
static inline void memshape_pool_holds(const void *pool, size_t bytes) {
  if (memshape_annotate_pool_holds)
    memshape_annotate_pool_holds(pool, bytes);
}

/* The pool has handed out `bytes` bytes at `block`. A macro, so that the calling line is the site of the allocation. */
#define memshape_pool_alloc(pool, block, bytes)                                                                        \
  do {                                                                                                                 \
    if (memshape_annotate_pool_alloc) {                                                                                \
      static const struct memshape_site memshape_here = {__FILE__, __func__, __LINE__, 1, MEMSHAPE_SPACE_POOL, 0};     \
      memshape_annotate_pool_alloc((pool), (block), (bytes), &memshape_here);                                          \
    }                                                                                                                  \
  } while (0)

static inline void memshape_pool_free(const void *pool, const void *block) {
  if (memshape_annotate_pool_free)
    memshape_annotate_pool_free(pool, block);
}

static inline void memshape_pool_clear(const void *pool) {
  if (memshape_annotate_pool_clear)
    memshape_annotate_pool_clear(pool);
}

static inline void memshape_pool_destroy(const void *pool) {
  if (memshape_annotate_pool_destroy)
    memshape_annotate_pool_destroy(pool);
}

#ifdef __cplusplus
namespace memshape {

/* A phase that lasts as long as the object, exceptions included. */
class PhaseGuard {
public:
  explicit PhaseGuard(const char *Name) : Name(Name) { memshape_phase_begin(Name); }
  ~PhaseGuard() { memshape_phase_end(Name); }
  PhaseGuard(const PhaseGuard &) = delete;
  PhaseGuard &operator=(const PhaseGuard &) = delete;

private:
  const char *Name;
};

} // namespace memshape

#define MEMSHAPE_PHASE_JOINED(A, B) A##B
#define MEMSHAPE_PHASE_OF_LINE(NAME, LINE) ::memshape::PhaseGuard MEMSHAPE_PHASE_JOINED(memshape_phase_, LINE)(NAME)
#define MEMSHAPE_PHASE(NAME) MEMSHAPE_PHASE_OF_LINE(NAME, __LINE__)
#endif
