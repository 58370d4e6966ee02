/* Numbers for things that live at addresses.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "tables/interned.h"
#include "tables/pool.h"

#include <string.h>

struct memshape_interned_entry {
  struct memshape_interned_key key;
  uint32_t number;
};

/* The entry that holds `address`, or the empty one where it would go. */
static struct memshape_interned_entry *locate(struct memshape_interned_entry *entries, size_t capacity,
                                              const void *address) {
  size_t i = (size_t)((uint64_t)(uintptr_t)address * 0x9e3779b97f4a7c15u >> 20) & (capacity - 1);
  while (entries[i].key.address && entries[i].key.address != address)
    i = (i + 1) & (capacity - 1);
  return &entries[i];
}

uint32_t memshape_interned_find(const struct memshape_interned *table, const struct memshape_interned_key *key) {
  if (!table->capacity)
    return MEMSHAPE_NOT_INTERNED;
  const struct memshape_interned_entry *entry = locate(table->entries, table->capacity, key->address);
  if (entry->key.address && entry->key.print[0] == key->print[0] && entry->key.print[1] == key->print[1] &&
      entry->key.print[2] == key->print[2])
    return entry->number;
  return MEMSHAPE_NOT_INTERNED;
}

void memshape_interned_set(struct memshape_interned *table, const struct memshape_interned_key *key, uint32_t number) {
  if (2 * (table->used + 1) > table->capacity) {
    size_t capacity = table->capacity ? 2 * table->capacity : 256;
    struct memshape_interned_entry *entries = memshape_pool_get(capacity * sizeof *entries);
    if (!entries)
      return;
    memset(entries, 0, capacity * sizeof *entries);
    for (size_t i = 0; i < table->capacity; ++i)
      if (table->entries[i].key.address)
        *locate(entries, capacity, table->entries[i].key.address) = table->entries[i];
    if (table->entries)
      memshape_pool_put(table->entries, table->capacity * sizeof *entries);
    table->entries = entries;
    table->capacity = capacity;
  }
  struct memshape_interned_entry *entry = locate(table->entries, table->capacity, key->address);
  if (!entry->key.address)
    ++table->used;
  entry->key = *key;
  entry->number = number;
}
