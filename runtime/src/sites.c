/*===- sites.c - Who allocated, and how much of it lives ------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "sites.h"
#include "interned.h"
#include "recordfile.h"

#include <dlfcn.h>
#include <link.h>

int64_t *memshape_site_live;
uint32_t memshape_site_count;

static struct memshape_interned Sites, Libraries[MEMSHAPE_SPACES];

enum { LongestName = 4096 };

static size_t nameLength(const char *name) { return name ? strnlen(name, LongestName) : 0; }

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
                                      {(uintptr_t)map->l_name, (uintptr_t)found.dlfo_map_start, (uintptr_t)map->l_ld}};
  uint32_t number = memshape_interned_find(&Libraries[space], &key);
  if (__builtin_expect(number == MEMSHAPE_NOT_INTERNED, 0)) {
    number = newSite(map->l_name, "", 0, 0, space, MEMSHAPE_RECORD_LIBRARY);
    memshape_interned_set(&Libraries[space], &key, number);
  }
  return number;
}
#else
uint32_t memshape_library_number(const void *caller, uint32_t space) { return MEMSHAPE_UNATTRIBUTED; }
#endif
