/* Hash tables of entries that carry their own links.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "tables/table.h"
#include "tables/pool.h"

#include <string.h>

enum { FirstBuckets = 256 };

struct memshape_entry **memshape_table_bucket(const struct memshape_table *table, uint64_t hash) {
  static struct memshape_entry *nothing;
  return table->bucket_count ? &table->buckets[hash & (table->bucket_count - 1)] : &nothing;
}

int memshape_table_reserve(struct memshape_table *table) {
  if (table->count < table->bucket_count)
    return 1;
  struct memshape_table grown = {NULL, table->bucket_count ? 2 * table->bucket_count : FirstBuckets, 0};
  grown.buckets = memshape_pool_get(grown.bucket_count * sizeof(struct memshape_entry *));
  if (!grown.buckets)
    return table->bucket_count != 0; /* the old buckets still serve */
  memset(grown.buckets, 0, grown.bucket_count * sizeof(struct memshape_entry *));
  for (size_t i = 0; i < table->bucket_count; ++i)
    for (struct memshape_entry *entry = table->buckets[i], *next; entry; entry = next) {
      next = entry->next;
      memshape_table_add(&grown, entry);
    }
  if (table->buckets)
    memshape_pool_put(table->buckets, table->bucket_count * sizeof(struct memshape_entry *));
  *table = grown;
  return 1;
}

void memshape_table_add(struct memshape_table *table, struct memshape_entry *entry) {
  struct memshape_entry **bucket = memshape_table_bucket(table, entry->hash);
  entry->next = *bucket;
  *bucket = entry;
  ++table->count;
}

struct memshape_entry *memshape_table_remove(struct memshape_table *table, struct memshape_entry **place) {
  struct memshape_entry *entry = *place;
  *place = entry->next;
  --table->count;
  return entry;
}
