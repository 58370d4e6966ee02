/* The allocator below, by the linker's names.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* In place of forward.c where the program is linked statically: see wrapped.h. The start buffer is never needed. */

#include "intercept/forward.h"

#define DECLARE(RESULT, NAME, PARAMETERS) RESULT __real_##NAME PARAMETERS;
MEMSHAPE_TAKERS(DECLARE)
MEMSHAPE_MAKERS(DECLARE)

#define REAL(RESULT, NAME, PARAMETERS) .NAME = __real_##NAME,
struct memshape_allocator memshape_allocator = {MEMSHAPE_TAKERS(REAL) MEMSHAPE_MAKERS(REAL)};
_Alignas(16) char memshape_start_buffer[MEMSHAPE_START_BUFFER];

int memshape_allocator_find(void) { return 1; }

void *memshape_start_buffer_get(size_t bytes) { return NULL; }
