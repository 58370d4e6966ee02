/* Bytes and blocks by call stack.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   With stacks each site is a stack, and every operation is counted under the lock: figures are exact. What a stack holds
   at the peak is kept lazily. Each new maximum opens an epoch; a stack saves what it holds the first time it changes in
   an epoch. All functions are called under the lock. */

#pragma once

#include "record/record.h"
#include "stacks/walked.h"

/* In the record; null where no stacks are counted. */
extern struct memshape_record_stacks *memshape_stacks;

/* Makes the table where the environment asks for it. */
void memshape_stacks_start(void);

/* A forked child has no table: its figures would need its parent's. */
void memshape_stacks_forked(void);

/* Names the stack of a site. */
void memshape_stack_of_site(uint32_t site, const struct memshape_walk *walk);

/* `added` bytes come to one site, `removed` go from another; is_block where a block does. */
struct memshape_stack_change {
  uint32_t added_site, removed_site;
  uint64_t added, removed;
  int comes, goes, resized; /* whether a block comes, goes, and is the same one */
};
void memshape_stacks_change(const struct memshape_stack_change *change, int is_new_peak);
