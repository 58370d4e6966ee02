/*===- trapped.h - The allocator below, with the trap in front ------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_TRAPPED_H
#define MEMSHAPE_TRAPPED_H

#include "trap/trap.h"

/* As the allocator tells it; 0 where it cannot, and for blocks of the reserve. While a reclaimer is set. */
int64_t memshape_block_bytes(void *block);

#endif /* MEMSHAPE_TRAPPED_H */
