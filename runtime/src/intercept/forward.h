/* The allocator below us.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Found by dlsym(RTLD_NEXT), not by glibc's __libc_malloc: a program that brings jemalloc, mimalloc or tcmalloc keeps
   it. While dlsym runs, its allocations come from a small buffer that is never freed. */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* malloc goes last: it says that the rest is there. */
#define MEMSHAPE_MAKERS(EACH)                                                                                          \
  EACH(void *, calloc, (size_t, size_t))                                                                               \
  EACH(void *, aligned_alloc, (size_t, size_t))                                                                        \
  EACH(void *, memalign, (size_t, size_t))                                                                             \
  EACH(int, posix_memalign, (void **, size_t, size_t))                                                                 \
  EACH(void *, valloc, (size_t))                                                                                       \
  EACH(void *, pvalloc, (size_t))                                                                                      \
  EACH(void *, malloc, (size_t))
#define MEMSHAPE_TAKERS(EACH) EACH(void, free, (void *)) EACH(void *, realloc, (void *, size_t))

#define MEMSHAPE_MEMBER(RESULT, NAME, PARAMETERS) RESULT(*NAME) PARAMETERS;
struct memshape_allocator {
  MEMSHAPE_TAKERS(MEMSHAPE_MEMBER)
  MEMSHAPE_MAKERS(MEMSHAPE_MEMBER)
};
extern struct memshape_allocator memshape_allocator;

/* Finds the allocator. 0 while it is being found by this very thread: take from the start buffer. */
int memshape_allocator_find(void);

/* Zeroed memory from the start buffer, or null when the buffer is full. */
void *memshape_start_buffer_get(size_t bytes);

enum { MEMSHAPE_START_BUFFER = 16 * 1024 };
extern char memshape_start_buffer[MEMSHAPE_START_BUFFER];

/* Whether `code` belongs to the library that malloc comes from. What an allocator maps for its heap is not counted as
   the program's own mappings. */
int memshape_is_of_allocator(const void *code);

static inline int memshape_in_start_buffer(const void *block) {
  return (uintptr_t)block - (uintptr_t)memshape_start_buffer < MEMSHAPE_START_BUFFER;
}
