/* A heap for the counting core.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Blocks are addresses without memory: the core looks at addresses and sizes only. So the tests decide where blocks
   lie, and a sanitizer's own malloc is not involved. */

#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A fresh block of `bytes` bytes, 16-aligned. */
void *pretendAllocate(size_t bytes);
/* The same, `offset` bytes off the alignment. */
void *pretendAllocateAt(size_t bytes, size_t offset);
/* As realloc: a new address, or null after a size of 0. */
void *pretendReallocate(void *block, size_t bytes);
void pretendFree(void *block);
/* A block outside the heap, in an enum memshape_space, known by its name; and its end. */
void pretendTake(unsigned space, unsigned long name, size_t bytes);
void pretendGive(unsigned long name);
/* From now on the calling thread is (1) or is not (0) amid accounting, as a signal handler would find it. */
void pretendBusy(int busy);

#ifdef __cplusplus
}
#endif
