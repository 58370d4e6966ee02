/* Memory that the program has mapped.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "trap/mappings.h"
#include "tables/lock.h"
#include "tables/pool.h"

#include <string.h>

struct range {
  uintptr_t from, to;
};

static struct memshape_lock Lock;
static struct range *Ranges; /* sorted by address, without overlap */
static size_t Count, Room;

/* The first range that ends after `address`. */
static size_t firstAfter(uintptr_t address) {
  size_t low = 0, high = Count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (Ranges[middle].to <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int insertAt(size_t i, struct range range) {
  if (Count == Room) {
    size_t room = Room ? 2 * Room : 256;
    struct range *fresh = memshape_pages(room * sizeof *fresh);
    if (!fresh)
      return 0;
    if (Room) {
      memcpy(fresh, Ranges, Count * sizeof *fresh);
      memshape_pages_give(Ranges, Room * sizeof *fresh);
    }
    Ranges = fresh;
    Room = room;
  }
  memmove(Ranges + i + 1, Ranges + i, (Count - i) * sizeof *Ranges);
  Ranges[i] = range;
  ++Count;
  return 1;
}

int memshape_mappings_add(uintptr_t from, uintptr_t to) {
  memshape_lock_take(&Lock);
  int added = insertAt(firstAfter(from), (struct range){from, to});
  memshape_lock_give(&Lock);
  return added;
}

uint64_t memshape_mappings_remove(uintptr_t from, uintptr_t to) {
  uint64_t sum = 0;
  memshape_lock_take(&Lock);
  for (size_t i = firstAfter(from); i < Count && Ranges[i].from < to;) {
    struct range whole = Ranges[i];
    uintptr_t low = whole.from > from ? whole.from : from, high = whole.to < to ? whole.to : to;
    sum += high - low;
    if (whole.from < low) {
      Ranges[i++].to = low;
      if (high < whole.to)
        i += (size_t)insertAt(i, (struct range){high, whole.to});
    } else if (high < whole.to) {
      Ranges[i++].from = high;
    } else {
      memmove(Ranges + i, Ranges + i + 1, (--Count - i) * sizeof *Ranges);
    }
  }
  memshape_lock_give(&Lock);
  return sum;
}

void memshape_mappings_forget(void) {
  memshape_lock_take(&Lock);
  Count = 0;
  memshape_lock_give(&Lock);
}

void memshape_mappings_forked(void) { Lock.held = 0; }
