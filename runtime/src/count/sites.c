/* Who allocated, and how much of it lives.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/sites.h"
#include "count/callsite.h"
#include "count/credit.h"
#include "record/recordfile.h"
#include "stacks/stacks.h"
#include "tables/interned.h"

#include <link.h>

int64_t *memshape_site_live;
struct memshape_site_changes memshape_site_changes[MEMSHAPE_RECORD_THREADS];
uint32_t memshape_site_count;
uint32_t memshape_site_generation = 1;

static struct memshape_interned Sites, Libraries[MEMSHAPE_SPACES];

enum { LongestName = 4096 };

static size_t nameLength(const char *name) { return name ? strnlen(name, LongestName) : 0; }

/* Names are hashed by contents: an object that is loaded later may get the same addresses, even that of the name.
   FNV-1a. */
static uint64_t hashOf(const char *name) {
  uint64_t hash = MEMSHAPE_RECORD_CHECKSUM_START;
  for (size_t i = 0; i < LongestName && name[i]; ++i)
    hash = (hash ^ (unsigned char)name[i]) * 0x100000001b3u;
  return hash;
}

static char *appendName(char *to, const char *name) {
  size_t length = nameLength(name);
  memcpy(to, name ? name : "", length);
  to[length] = 0;
  return to + length + 1;
}

static uint32_t newSite(const char *file, const char *function, uint32_t line, uint32_t column, uint32_t space,
                        uint32_t origin) {
  size_t text = (nameLength(file) + nameLength(function) + 2 + 7) & ~(size_t)7;
  struct memshape_record_site *item;
  if (memshape_site_count >= MEMSHAPE_MAX_SITES || !memshape_record_room_for_sites(memshape_site_count + 1) ||
      !(item = memshape_record_append(MEMSHAPE_RECORD_SITE, sizeof *item + text)))
    return MEMSHAPE_UNATTRIBUTED;
  item->line = line;
  item->column = column;
  item->space = space;
  item->origin = origin;
  appendName(appendName((char *)(item + 1), file), function);
  memshape_record_publish_whole(item);
  return memshape_site_count++;
}

void memshape_sites_start(void) {
  if (memshape_site_count == 0)
    newSite("", "", 0, 0, MEMSHAPE_SPACE_HOST, MEMSHAPE_RECORD_UNATTRIBUTED);
}

uint32_t memshape_site_number(const struct memshape_site *site) {
  struct memshape_interned_key key = {
      site, {(uintptr_t)site->file, (uintptr_t)site->function, (uint64_t)site->line << 32 | site->column}};
  uint32_t number = memshape_interned_find(&Sites, &key);
  if (__builtin_expect(number == MEMSHAPE_NOT_INTERNED, 0)) {
    number = newSite(site->file, site->function, site->line, site->column, site->space, MEMSHAPE_RECORD_SOURCE);
    memshape_interned_set(&Sites, &key, number);
  }
  return number;
}

#ifdef DLFO_STRUCT_HAS_EH_DBASE /* glibc 2.35 and later */
#pragma weak _dl_find_object

/* _dl_find_object takes no lock and allocates nothing; dladdr takes the loader's lock, which the program may hold in
   another thread while it waits for something that this thread holds. */
uint32_t memshape_library_number(const void *caller, uint32_t space) {
  struct dl_find_object found;
  if (!_dl_find_object || _dl_find_object((void *)(uintptr_t)caller, &found) != 0)
    return MEMSHAPE_UNATTRIBUTED;
  const struct link_map *map = found.dlfo_link_map;
  struct memshape_interned_key key = {map,
                                      {hashOf(map->l_name), (uintptr_t)found.dlfo_map_start, (uintptr_t)map->l_ld}};
  uint32_t number = memshape_interned_find(&Libraries[space], &key);
  if (__builtin_expect(number == MEMSHAPE_NOT_INTERNED, 0)) {
    number = newSite(map->l_name, "", 0, 0, space, MEMSHAPE_RECORD_LIBRARY);
    memshape_interned_set(&Libraries[space], &key, number);
  }
  return number;
}

const char *memshape_module_of(const void *address) {
  struct dl_find_object found;
  return _dl_find_object && _dl_find_object((void *)(uintptr_t)address, &found) == 0 ? found.dlfo_link_map->l_name : "";
}
#else
const char *memshape_module_of(const void *address) { return ""; }
uint32_t memshape_library_number(const void *caller, uint32_t space) { return MEMSHAPE_UNATTRIBUTED; }
#endif

/* A large block's site: the library, and the instrumented code that called it. */
static uint32_t numberOfCall(const void *caller) {
  static struct memshape_interned Calls;
  static char name[LongestName];
  uint32_t plain = memshape_library_number(caller, MEMSHAPE_SPACE_HOST);
  const void *from = memshape_call_site();
  if (!from || plain == MEMSHAPE_UNATTRIBUTED)
    return plain;
  /* One call can lead to several libraries, so the library is part of the key. */
  memshape_call_site_name(from, name, sizeof name);
  struct memshape_interned_key key = {(const void *)((uintptr_t)from ^ (uintptr_t)plain << 47),
                                      {plain, hashOf(name), 0}};
  uint32_t number = memshape_interned_find(&Calls, &key);
  if (number == MEMSHAPE_NOT_INTERNED) {
    number = newSite(memshape_module_of(caller), name, 0, 0, MEMSHAPE_SPACE_HOST, MEMSHAPE_RECORD_LIBRARY);
    memshape_interned_set(&Calls, &key, number);
  }
  return number;
}

/* The site of a stack: the place of its allocation, with the calls that lead there. */
static __attribute__((noinline)) uint32_t numberOfStack(const struct memshape_site *source, const void *caller) {
  static struct memshape_interned Stacks;
  struct memshape_walk_start start = {__builtin_frame_address(0), caller, source, memshape_site_generation};
  uint32_t number = memshape_walked(&start);
  if (number != MEMSHAPE_NOT_INTERNED)
    return number;
  struct memshape_walk walk;
  memshape_call_stack(caller, &walk);
  uint64_t hash = MEMSHAPE_RECORD_CHECKSUM_START, other = walk.count;
  for (uint32_t i = 0; i < walk.count; ++i) {
    hash = (hash ^ walk.code[i]) * 0x100000001b3u;
    other = (other << 7 | other >> 57) ^ walk.code[i];
  }
  struct memshape_interned_key key = {(const void *)(uintptr_t)(hash | 1),
                                      {other, (uintptr_t)source, start.generation}};
  number = memshape_interned_find(&Stacks, &key);
  if (number == MEMSHAPE_NOT_INTERNED) {
    number = source ? newSite(source->file, source->function, source->line, source->column, source->space,
                              MEMSHAPE_RECORD_SOURCE)
                    : newSite(memshape_module_of(caller), "", 0, 0, MEMSHAPE_SPACE_HOST, MEMSHAPE_RECORD_LIBRARY);
    if (number != MEMSHAPE_UNATTRIBUTED)
      memshape_stack_of_site(number, &walk);
    memshape_interned_set(&Stacks, &key, number);
  }
  memshape_walked_keep(&start, &walk, number);
  return number;
}

uint32_t memshape_site_of(struct memshape_thread *self, const struct memshape_site *source, const void *caller,
                          uint64_t bytes) {
  if (__builtin_expect(memshape_stacks != NULL, 0) && caller)
    return numberOfStack(source, caller);
  const void *address = source ? (const void *)source : caller;
  struct memshape_site_memo *memo = memshape_site_memo(self, address);
  if (!address)
    return MEMSHAPE_UNATTRIBUTED;
  if (!source && bytes >= MEMSHAPE_CALL_SITE_FROM)
    return numberOfCall(caller);
  if (!memshape_site_is_remembered(memo, address))
    *memo = (struct memshape_site_memo){
        address, source ? memshape_site_number(source) : memshape_library_number(caller, MEMSHAPE_SPACE_HOST),
        memshape_site_generation};
  return memo->number;
}

/* Makes room for all sites, at least twice as many as before. Readers may see a change counted twice for a moment. */
static int makeRoom(struct memshape_site_changes *changes, uint32_t thread) {
  enum { LeastRoom = 256 };
  uint32_t count = changes->count ? 2 * changes->count : LeastRoom;
  while (count < memshape_site_count)
    count *= 2;
  struct memshape_record_site_changes *item =
      memshape_record_append(MEMSHAPE_RECORD_SITE_CHANGES, sizeof *item + count * sizeof(int64_t));
  if (!item)
    return 0;
  int64_t *live = (int64_t *)(item + 1);
  item->thread = thread;
  item->count = count;
  memshape_record_publish(item, 0);
  if (changes->count) {
    memcpy(live, changes->live, changes->count * sizeof *live);
    memset(changes->live, 0, changes->count * sizeof *live);
  }
  changes->live = live;
  changes->count = count;
  return 1;
}

void memshape_sites_change(struct memshape_thread *self, uint32_t added_site, uint64_t added, uint32_t removed_site,
                           uint64_t removed) {
  struct memshape_site_changes *changes = self->line ? self->sites : NULL;
  uint32_t most = added_site > removed_site ? added_site : removed_site;
  if (changes && (most < changes->count || makeRoom(changes, (uint32_t)(changes - memshape_site_changes)))) {
    changes->live[added_site] += (int64_t)added;
    changes->live[removed_site] -= (int64_t)removed;
  } else {
    memshape_site_live[added_site] += (int64_t)added;
    memshape_site_live[removed_site] -= (int64_t)removed;
  }
}

int memshape_sites_room(struct memshape_thread *self) {
  return self->sites->count >= memshape_site_count ||
         makeRoom(self->sites, (uint32_t)(self->sites - memshape_site_changes));
}

void memshape_sites_sum(int64_t *live, uint32_t count) {
  memcpy(live, memshape_site_live, count * sizeof *live);
  for (uint32_t line = 1; line < memshape_lines(); ++line) {
    const struct memshape_site_changes *changes = &memshape_site_changes[line];
    uint32_t both = changes->count < count ? changes->count : count;
    for (uint32_t site = 0; site < both; ++site)
      live[site] += changes->live[site];
  }
}

void memshape_sites_forked(void) { memset(memshape_site_changes, 0, memshape_lines() * sizeof *memshape_site_changes); }
