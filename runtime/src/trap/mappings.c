/* Memory that the program has mapped.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "trap/mappings.h"
#include "tables/lock.h"
#include "tables/ranges.h"

static struct memshape_lock Lock;
static struct memshape_ranges Mapped;

int memshape_mappings_add(uintptr_t from, uintptr_t to) {
  memshape_lock_take(&Lock);
  int added = memshape_ranges_add(&Mapped, (struct memshape_range){from, to, 0});
  memshape_lock_give(&Lock);
  return added;
}

uint64_t memshape_mappings_remove(uintptr_t from, uintptr_t to) {
  struct memshape_range piece;
  uint64_t sum = 0;
  memshape_lock_take(&Lock);
  while (memshape_ranges_take(&Mapped, from, to, &piece))
    sum += piece.to - piece.from;
  memshape_lock_give(&Lock);
  return sum;
}

void memshape_mappings_forget(void) {
  memshape_lock_take(&Lock);
  Mapped.count = 0;
  memshape_lock_give(&Lock);
}

void memshape_mappings_forked(void) { Lock.held = 0; }
