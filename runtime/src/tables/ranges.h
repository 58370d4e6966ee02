/* Address ranges, sorted and without overlap.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#pragma once

#include <stddef.h>
#include <stdint.h>

struct memshape_range {
  uintptr_t from, to;
  uint32_t holder; /* whose it is; a part of a range has the whole one's */
};

struct memshape_ranges {
  struct memshape_range *at;
  size_t count, room;
};

/* Adds a range that meets no other. 0: there is no memory for it. */
int memshape_ranges_add(struct memshape_ranges *ranges, struct memshape_range range);

/* Takes out, and writes to `piece`, the first piece of a range between the two addresses. Returns 0 where there is none,
   -1 where there was no memory for what lies behind the piece, which then is lost. */
int memshape_ranges_take(struct memshape_ranges *ranges, uintptr_t from, uintptr_t to, struct memshape_range *piece);
