/* The allocator below, by the linker's names.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* In place of forward.c where the program is linked statically: see wrapped.h. The start buffer is never needed. */

#include "intercept/forward.h"

void *__real_malloc(size_t);
void __real_free(void *);
void *__real_calloc(size_t, size_t);
void *__real_realloc(void *, size_t);
void *__real_aligned_alloc(size_t, size_t);
void *__real_memalign(size_t, size_t);
int __real_posix_memalign(void **, size_t, size_t);
void *__real_valloc(size_t);
void *__real_pvalloc(size_t);

struct memshape_allocator memshape_allocator = {
    .__wrap_malloc = __real_malloc,
    .__wrap_free = __real_free,
    .__wrap_calloc = __real_calloc,
    .__wrap_realloc = __real_realloc,
    .__wrap_aligned_alloc = __real_aligned_alloc,
    .__wrap_memalign = __real_memalign,
    .__wrap_posix_memalign = __real_posix_memalign,
    .__wrap_valloc = __real_valloc,
    .__wrap_pvalloc = __real_pvalloc,
};
_Alignas(16) char memshape_start_buffer[MEMSHAPE_START_BUFFER];

int memshape_allocator_find(void) { return 1; }

void *memshape_start_buffer_get(size_t bytes) { return NULL; }
