/* The allocator below us.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "intercept/forward.h"

#include <dlfcn.h>
#include <link.h>

struct memshape_allocator memshape_allocator;
_Alignas(16) char memshape_start_buffer[MEMSHAPE_START_BUFFER];

static size_t StartBufferUsed;
static _Thread_local int Finding;

void *memshape_start_buffer_get(size_t bytes) {
  size_t rounded = (bytes + 15) & ~(size_t)15;
  if (rounded < bytes || rounded > MEMSHAPE_START_BUFFER)
    return NULL;
  size_t at = __atomic_fetch_add(&StartBufferUsed, rounded, __ATOMIC_RELAXED);
  return at + rounded <= MEMSHAPE_START_BUFFER ? memshape_start_buffer + at : NULL;
}

int memshape_allocator_find(void) {
  struct memshape_allocator found;
  if (Finding)
    return 0;
  Finding = 1;
#define FIND(RESULT, NAME, PARAMETERS) *(void **)&found.NAME = dlsym(RTLD_NEXT, #NAME);
  MEMSHAPE_TAKERS(FIND)
  MEMSHAPE_MAKERS(FIND)
  Finding = 0;
  /* Two threads may find it at once, with the same result. */
#define SET(RESULT, NAME, PARAMETERS)                                                                                  \
  __atomic_store_n((void **)&memshape_allocator.NAME, *(void **)&found.NAME, __ATOMIC_RELEASE);
  MEMSHAPE_TAKERS(SET)
  MEMSHAPE_MAKERS(SET)
  return found.malloc != NULL;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE
#pragma weak _dl_find_object

int memshape_is_of_allocator(const void *code) {
  static uintptr_t from, to; /* set together by whoever comes first, to the same */
  struct dl_find_object found;
  if (!to && _dl_find_object && _dl_find_object(*(void **)&memshape_allocator.malloc, &found) == 0) {
    from = (uintptr_t)found.dlfo_map_start;
    to = (uintptr_t)found.dlfo_map_end;
  }
  return (uintptr_t)code >= from && (uintptr_t)code < to;
}
#else
int memshape_is_of_allocator(const void *code) { return 0; }
#endif
