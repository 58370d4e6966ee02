/* The allocator below, with the trap in front.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#pragma once

#include "trap/trap.h"

/* As the allocator tells it; 0 where it cannot, and for blocks of the reserve. While a reclaimer is set. */
int64_t memshape_block_bytes(void *block);
