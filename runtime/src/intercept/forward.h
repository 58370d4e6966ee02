/* The allocator below us.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Found by dlsym(RTLD_NEXT), not by glibc's __libc_malloc: a program that brings jemalloc, mimalloc or tcmalloc keeps
   it. While dlsym runs, its allocations come from a small buffer that is never freed. */

#pragma once

#include <stddef.h>
#include <stdint.h>

struct memshape_allocator {
  void *(*malloc)(size_t);
  void (*free)(void *);
  void *(*calloc)(size_t, size_t);
  void *(*realloc)(void *, size_t);
  void *(*aligned_alloc)(size_t, size_t);
  void *(*memalign)(size_t, size_t);
  int (*posix_memalign)(void **, size_t, size_t);
  void *(*valloc)(size_t);
  void *(*pvalloc)(size_t);
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
