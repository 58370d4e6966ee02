/* Stacks that were walked before.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A walk costs microseconds, for the rules of each frame are looked up and executed. But most allocations come from
   where others came from. A walk leaves behind where the return addresses lie. If the next one begins at the same place
   of the stack, and the return addresses are still there, outwards one after the other, the frames are the same: where a
   function's frame ends follows from its code. (Not from the code alone where its size varies, by alloca. Such a frame
   would be taken for an older one if the runtime's own frames began at the very same address, and the older return
   address had survived inside of the new frame.) Under the lock. */

#pragma once

#include "record/record.h"

struct memshape_walk {
  uint32_t count;
  uintptr_t code[MEMSHAPE_MOST_STACK_FRAMES];          /* return addresses, innermost first */
  const uintptr_t *places[MEMSHAPE_MOST_STACK_FRAMES]; /* where they lie; null where that is not known */
};

/* From where a walk would begin. */
struct memshape_walk_start {
  const void *frame;  /* of the runtime's own function */
  const void *caller; /* of the allocation */
  const void *source; /* the site that a hook named, or null */
  uint64_t generation;
};

/* The number that was given to the same stack before; UINT32_MAX where that is not known. */
uint32_t memshape_walked(const struct memshape_walk_start *start);
void memshape_walked_keep(const struct memshape_walk_start *start, const struct memshape_walk *walk, uint32_t number);
