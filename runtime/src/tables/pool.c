/* Memory of the runtime's own.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "tables/pool.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Blocks of one class are 2^class bytes; freed ones wait in a list threaded through their first word. */
enum { SmallestClass = 6, Classes = 48, ChunkBytes = 64 * 1024 };

static void *FreeBlocks[Classes];
static char *Chunk;
static size_t ChunkLeft;

void *memshape_map(void *hint, size_t bytes, int protection, int flags, int descriptor, size_t offset) {
  return (void *)syscall(SYS_mmap, hint, bytes, protection, flags, descriptor, offset);
}

int memshape_unmap(void *pages, size_t bytes) { return (int)syscall(SYS_munmap, pages, bytes); }

void *memshape_pages(size_t bytes) {
  int saved = errno;
  void *pages = memshape_map(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED)
    pages = NULL;
  else
    madvise(pages, bytes, MADV_NOHUGEPAGE);
  errno = saved;
  return pages;
}

void memshape_pages_give(void *pages, size_t bytes) {
  int saved = errno;
  memshape_unmap(pages, bytes);
  errno = saved;
}

static unsigned classOf(size_t bytes) {
  unsigned c = SmallestClass;
  while (((size_t)1 << c) < bytes)
    ++c;
  return c;
}

void *memshape_pool_get(size_t bytes) {
  unsigned c = classOf(bytes);
  size_t size = (size_t)1 << c;
  if (c >= Classes)
    return NULL;
  if (FreeBlocks[c]) {
    void *block = FreeBlocks[c];
    FreeBlocks[c] = *(void **)block;
    return block;
  }
  if (size > ChunkBytes / 4)
    return memshape_pages(size);
  if (ChunkLeft < size) {
    char *fresh = memshape_pages(ChunkBytes);
    if (!fresh)
      return NULL;
    Chunk = fresh;
    ChunkLeft = ChunkBytes;
  }
  void *block = Chunk;
  Chunk += size;
  ChunkLeft -= size;
  return block;
}

void memshape_pool_put(void *block, size_t bytes) {
  unsigned c = classOf(bytes);
  *(void **)block = FreeBlocks[c];
  FreeBlocks[c] = block;
}

int memshape_pool_room(uint32_t *capacity, uint32_t count, int64_t **first, int64_t **second) {
  if (count <= *capacity)
    return 1;
  uint32_t room = *capacity ? *capacity : 32;
  while (room < count)
    room *= 2;
  int64_t *fresh = memshape_pool_get(2 * (size_t)room * sizeof *fresh);
  if (!fresh)
    return 0;
  memset(fresh, 0, 2 * (size_t)room * sizeof *fresh);
  if (*capacity) {
    memcpy(fresh, *first, *capacity * sizeof *fresh);
    memcpy(fresh + room, *second, *capacity * sizeof *fresh);
    memshape_pool_put(*first, 2 * (size_t)*capacity * sizeof *fresh);
  }
  *first = fresh;
  *second = fresh + room;
  *capacity = room;
  return 1;
}
