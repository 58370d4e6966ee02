/* Memory for those who free memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   To write data to disk and free it takes a little memory, at a moment when there is none. So some is put aside
   beforehand. Its blocks are freed like others. */

#pragma once

#include <stddef.h>
#include <stdint.h>

struct memshape_reserve {
  uintptr_t start, bytes; /* 0: none */
};
extern struct memshape_reserve memshape_reserve;

static inline int memshape_in_reserve(const void *block) {
  return (uintptr_t)block - __atomic_load_n(&memshape_reserve.start, __ATOMIC_RELAXED) <
         __atomic_load_n(&memshape_reserve.bytes, __ATOMIC_RELAXED);
}

/* Puts that many bytes aside, whose pages are there at once. A reserve of which blocks are in use stays as it is. 0:
   there is no memory for it. */
int memshape_reserve_make(size_t bytes);
/* Gives it up. 0: blocks of it are in use, so it stays. */
int memshape_reserve_drop(void);
/* In a forked child: another thread may have been at work here. */
void memshape_reserve_forked(void);

/* A block, or null. `alignment` is a power of two. */
void *memshape_reserve_get(size_t bytes, size_t alignment);
void memshape_reserve_put(void *block);
/* As it was asked for. */
size_t memshape_reserve_bytes(const void *block);
