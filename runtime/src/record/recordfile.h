/* The mapped record of this process.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   All functions but memshape_record_open are called under the runtime's lock. */

#pragma once

#include "record/record.h"

/* What a forked child starts from. */
struct memshape_inheritance {
  int64_t live;
  struct memshape_record_counts counts;
  uint64_t used;            /* bytes of the parent's record at the fork */
  const int64_t *site_live; /* a copy of the parent's table at the fork */
  uint32_t sites;
};

/* Creates the record `name`, or `name`.PID, `name`.PID.1, ... where that exists, and maps it. Null where that fails:
   the program then runs uncounted. No file descriptor stays open, so the program's own descriptors keep their numbers.
   In a forked child (`parent` is not null) sites and operators keep their numbers: they are copied from the parent's
   record, which is then unmapped. */
struct memshape_record_header *memshape_record_open(const char *name, const struct memshape_inheritance *parent);

/* The place of a new item of `bytes` bytes (rounded up to 8), zeroed, not yet published; null when the file cannot
   grow. The next append may only follow memshape_record_publish. */
void *memshape_record_append(uint32_t kind, size_t bytes);
/* Makes the item part of the record; `checksum` is that of its members, or 0 for a kind that has none. Returns its
   offset in the file. */
uint64_t memshape_record_publish(void *item, uint64_t checksum);
/* The same, with the checksum of all that follows the head. */
uint64_t memshape_record_publish_whole(void *item);

/* Makes the table of live bytes hold `sites` sites. 0 when the file cannot grow. */
int memshape_record_room_for_sites(uint32_t sites);

void *memshape_record_at(uint64_t offset);
