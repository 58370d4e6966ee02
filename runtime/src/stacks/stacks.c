/* Bytes and blocks by call stack.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "stacks/stacks.h"
#include "record/recordfile.h"

#include <link.h>
#include <stdlib.h>

struct memshape_record_stacks *memshape_stacks;

void memshape_stacks_start(void) {
  const char *wish = secure_getenv("MEMSHAPE_RUNTIME_STACKS");
  struct memshape_record_stacks *table;
  if (!wish || !*wish || !(table = memshape_record_append(MEMSHAPE_RECORD_STACKS, sizeof *table)))
    return;
  table->epoch = 1;
  memshape_record_publish(table, 0);
  memshape_stacks = table;
}

void memshape_stacks_forked(void) { memshape_stacks = NULL; }

static void remember(struct memshape_record_stack_figures *stack) {
  if (stack->epoch == memshape_stacks->epoch)
    return;
  stack->at_peak = stack->live;
  stack->blocks_at_peak = stack->blocks;
  stack->epoch = memshape_stacks->epoch;
}

void memshape_stacks_change(const struct memshape_stack_change *change, int is_new_peak) {
  struct memshape_record_stack_figures *from = &memshape_stacks->figures[change->removed_site],
                                       *to = &memshape_stacks->figures[change->added_site];
  if (change->goes) {
    remember(from);
    from->live -= (int64_t)change->removed;
    --from->blocks;
  }
  if (change->comes) {
    remember(to);
    to->live += (int64_t)change->added;
    ++to->blocks;
    to->total += change->added;
    ++*(change->resized ? &to->reallocations : &to->allocations);
  }
  if (is_new_peak)
    ++memshape_stacks->epoch;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE /* glibc 2.35 and later: no lock is taken, and nothing allocated */
#pragma weak _dl_find_object

enum { MostModules = 512 };
static struct {
  const struct link_map *map;
  const void *start;
} Modules[MostModules];
static uint32_t ModuleCount;

/* The number of the module around an address, from 1; 0 where it is not known. An unloaded module's place may be taken
   by another one: the two differ in their start or have the same name. */
static uint32_t moduleOf(uintptr_t code, uintptr_t *base) {
  struct dl_find_object found;
  if (!_dl_find_object || _dl_find_object((void *)code, &found) != 0)
    return 0;
  const struct link_map *map = found.dlfo_link_map;
  *base = map->l_addr;
  for (uint32_t i = 0; i < ModuleCount; ++i)
    if (Modules[i].map == map && Modules[i].start == found.dlfo_map_start)
      return i + 1;
  size_t length = strnlen(map->l_name, 4096);
  struct memshape_record_module *item;
  if (ModuleCount == MostModules || !(item = memshape_record_append(MEMSHAPE_RECORD_MODULE, sizeof *item + length + 1)))
    return 0;
  memcpy(item + 1, map->l_name, length);
  memshape_record_publish_whole(item);
  Modules[ModuleCount].map = map;
  Modules[ModuleCount].start = found.dlfo_map_start;
  return ++ModuleCount;
}
#else
static uint32_t moduleOf(uintptr_t code, uintptr_t *base) { return 0; }
#endif

void memshape_stack_of_site(uint32_t site, const struct memshape_walk *walk) {
  struct memshape_record_frame frames[MEMSHAPE_MOST_STACK_FRAMES];
  uint32_t count = walk->count;
  for (uint32_t i = 0; i < count; ++i) {
    uintptr_t base = 0, call = walk->code[i] - 1; /* an address inside of the call, not behind it */
    frames[i].module = moduleOf(call, &base);
    frames[i].offset = call - base;
  }
  struct memshape_record_stack *item =
      memshape_record_append(MEMSHAPE_RECORD_STACK, sizeof *item + count * sizeof *frames);
  if (!item)
    return;
  item->site = site;
  item->count = count;
  memcpy(item + 1, frames, count * sizeof *frames);
  memshape_record_publish_whole(item);
}
