/* Stacks that were walked before.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "stacks/walked.h"
#include "tables/pool.h"

#include <string.h>

/* A power of two. */
enum { Kept = 1024 };

static struct kept {
  struct memshape_walk_start start;
  struct memshape_walk walk;
  uint32_t number;
} *Table;

static struct kept *placeOf(const struct memshape_walk_start *start) {
  uint64_t bits = (uintptr_t)start->frame * 0x9e3779b97f4a7c15u ^ (uintptr_t)start->caller * 0xc2b2ae3d27d4eb4fu;
  return &Table[bits >> 40 & (Kept - 1)];
}

uint32_t memshape_walked(const struct memshape_walk_start *start) {
  if (!Table)
    return UINT32_MAX;
  const struct kept *known = placeOf(start);
  if (known->start.frame != start->frame || known->start.caller != start->caller ||
      known->start.source != start->source || known->start.generation != start->generation)
    return UINT32_MAX;
  for (uint32_t i = 0; i < known->walk.count; ++i)
    if (*(const volatile uintptr_t *)known->walk.places[i] != known->walk.code[i])
      return UINT32_MAX;
  return known->number;
}

void memshape_walked_keep(const struct memshape_walk_start *start, const struct memshape_walk *walk, uint32_t number) {
  for (uint32_t i = 0; i < walk->count; ++i)
    if (!walk->places[i])
      return;
  if (!Table && !(Table = memshape_pages(Kept * sizeof *Table)))
    return;
  struct kept *place = placeOf(start);
  place->start = *start;
  place->walk.count = walk->count;
  memcpy(place->walk.code, walk->code, walk->count * sizeof *walk->code);
  memcpy(place->walk.places, walk->places, walk->count * sizeof *walk->places);
  place->number = number;
}
