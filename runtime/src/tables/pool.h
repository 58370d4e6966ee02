/* Memory of the runtime's own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The runtime must not allocate from the heap that it measures. pool_get and pool_put are called under the lock. */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* Fresh zeroed pages for `bytes` bytes, or null; errno is unchanged. Huge pages are disabled: most of a shadow is never
   touched, and one touched byte must not cost 2 MiB. */
void *memshape_pages(size_t bytes);
void memshape_pages_give(void *pages, size_t bytes);

/* A block of at least `bytes` bytes (contents undefined), or null. The same `bytes` go to memshape_pool_put. */
void *memshape_pool_get(size_t bytes);
void memshape_pool_put(void *block, size_t bytes);

/* Makes room for `count` numbers in each of two arrays that are one block. Numbers that were not there are 0. Returns 0
   where there is no memory. */
int memshape_pool_room(uint32_t *capacity, uint32_t count, int64_t **first, int64_t **second);

/* The kernel's mmap and munmap. The C library's names are interposed and counted. */
void *memshape_map(void *hint, size_t bytes, int protection, int flags, int descriptor, size_t offset);
int memshape_unmap(void *pages, size_t bytes);
