/* Hash tables of entries that carry their own links.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The table links entries that its user has made, in buckets of the runtime's own memory; entries do not move. Hashes
   must differ in their low bits. Under the lock. */

#pragma once

#include <stddef.h>
#include <stdint.h>

/* The first member of what is kept. */
struct memshape_entry {
  struct memshape_entry *next; /* in its bucket */
  uint64_t hash;
};

struct memshape_table {
  struct memshape_entry **buckets;
  size_t bucket_count; /* a power of two, or 0 */
  size_t count;        /* entries */
};

/* The link that refers to the first entry of the bucket of `hash`; it is null where the bucket is empty. The next link
   is &(*place)->next. */
struct memshape_entry **memshape_table_bucket(const struct memshape_table *table, uint64_t hash);

/* Makes sure that one more entry can be added: 0 without memory for any bucket. */
int memshape_table_reserve(struct memshape_table *table);

/* Adds an entry whose hash is set. */
void memshape_table_add(struct memshape_table *table, struct memshape_entry *entry);

/* Takes out the entry that `place` refers to. */
struct memshape_entry *memshape_table_remove(struct memshape_table *table, struct memshape_entry **place);
