/* Address ranges, sorted and without overlap.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "tables/ranges.h"
#include "tables/pool.h"

#include <string.h>

/* The first range that ends after `address`. */
static size_t firstAfter(const struct memshape_ranges *ranges, uintptr_t address) {
  size_t low = 0, high = ranges->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (ranges->at[middle].to <= address)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

int memshape_ranges_add(struct memshape_ranges *ranges, struct memshape_range range) {
  if (ranges->count == ranges->room) {
    size_t room = ranges->room ? 2 * ranges->room : 256;
    struct memshape_range *fresh = memshape_pages(room * sizeof *fresh);
    if (!fresh)
      return 0;
    if (ranges->room) {
      memcpy(fresh, ranges->at, ranges->count * sizeof *fresh);
      memshape_pages_give(ranges->at, ranges->room * sizeof *fresh);
    }
    ranges->at = fresh;
    ranges->room = room;
  }
  struct memshape_range *place = ranges->at + firstAfter(ranges, range.from);
  memmove(place + 1, place, (size_t)(ranges->at + ranges->count - place) * sizeof *place);
  *place = range;
  ++ranges->count;
  return 1;
}

/*     whole     |----------|     |------|           |------|         |--|
       asked         |--|            |------|     |------|          |------|
       left      |---|  |---|     |--|                   |--|                 */
int memshape_ranges_take(struct memshape_ranges *ranges, uintptr_t from, uintptr_t to, struct memshape_range *piece) {
  size_t i = firstAfter(ranges, from);
  struct memshape_range *whole = ranges->at + i;
  if (i == ranges->count || whole->from >= to)
    return 0;
  struct memshape_range behind = *whole;
  *piece = *whole;
  piece->from = whole->from > from ? whole->from : from;
  piece->to = whole->to < to ? whole->to : to;
  behind.from = piece->to;
  if (whole->from < piece->from) {
    whole->to = piece->from;
    return behind.from == behind.to || memshape_ranges_add(ranges, behind) ? 1 : -1;
  }
  if (behind.from < behind.to)
    *whole = behind;
  else
    memmove(whole, whole + 1, (--ranges->count - i) * sizeof *whole);
  return 1;
}
