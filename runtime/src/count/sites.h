/* Who allocated, and how much of it lives.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#pragma once

#include "count/callsite.h"
#include "count/count.h"

#include <memshape/hooks.h>

/* Site 0 is "unattributed". A block's site has 16 bits; sites beyond count as site 0. */
enum { MEMSHAPE_MAX_SITES = MEMSHAPE_RECORD_SITES, MEMSHAPE_UNATTRIBUTED = 0 };

/* Requested bytes live per site, counted since the first instrumented module attached. Kept in the record, where others
   read it while the process runs and after it has died. Under the lock. Threads add their own changes in separate
   tables: the sum of all is what is live. */
extern int64_t *memshape_site_live;
struct memshape_site_changes {
  int64_t *live;
  uint32_t count;
};
extern struct memshape_site_changes memshape_site_changes[MEMSHAPE_RECORD_THREADS]; /* by line */
extern uint32_t memshape_site_count;

/* Writes site 0 into the record. Under the lock, once. */
void memshape_sites_start(void);

/* The number of a site of instrumented code. Under the lock. */
uint32_t memshape_site_number(const struct memshape_site *site);

/* The site of an allocation of `bytes`, `source` where a hook named one; remembered for the thread. Under the lock. */
uint32_t memshape_site_of(struct memshape_thread *self, const struct memshape_site *source, const void *caller,
                          uint64_t bytes);

/* The path of the library around an address; "" for the executable, and where it is not known. */
const char *memshape_module_of(const void *address);

/* The site of the library or executable that contains the code address `caller`, in a memory space. Under the lock. */
uint32_t memshape_library_number(const void *caller, uint32_t space);

/* Adds bytes to one site and removes bytes from another, in the lines of the thread that holds the lock. */
void memshape_sites_change(struct memshape_thread *self, uint32_t added_site, uint64_t added, uint32_t removed_site,
                           uint64_t removed);

/* Makes room for all sites in the thread's line. Under the lock. */
int memshape_sites_room(struct memshape_thread *self);

/* Live bytes of each of the first `count` sites. In a section. */
void memshape_sites_sum(int64_t *live, uint32_t count);

/* In a forked child, whose table has been set to the parent's sums. */
void memshape_sites_forked(void);

/* Raised when modules came or went: an address may then mean another site or library. */
extern uint32_t memshape_site_generation;
static inline void memshape_sites_moved(void) { __atomic_fetch_add(&memshape_site_generation, 1, __ATOMIC_ACQ_REL); }

static inline struct memshape_site_memo *memshape_site_memo(struct memshape_thread *self, const void *address) {
  uintptr_t bits = (uintptr_t)address;
  return &self->memos[(bits >> 3 ^ bits >> 8) & (MEMSHAPE_MEMOS - 1)];
}

static inline int memshape_site_is_remembered(const struct memshape_site_memo *memo, const void *address) {
  return memo->address == address && memo->generation == __atomic_load_n(&memshape_site_generation, __ATOMIC_RELAXED);
}

/* Inside a line: the pending site or, without one, the caller's library. 0: not without the lock. */
static inline int memshape_site_find(struct memshape_thread *self, const void *caller, uint64_t bytes, uint32_t *site) {
  const void *address = self->pending ? (const void *)self->pending : caller;
  if (__builtin_expect(bytes >= MEMSHAPE_CALL_SITE_FROM, 0) && !self->pending)
    return 0;
  const struct memshape_site_memo *memo = memshape_site_memo(self, address);
  if (!memshape_site_is_remembered(memo, address) || memo->number >= self->sites->count)
    return 0;
  *site = memo->number;
  return 1;
}

/* The same, and adds `bytes` to it. */
static inline int memshape_site_add(struct memshape_thread *self, const void *caller, uint64_t bytes, uint32_t *site) {
  if (!memshape_site_find(self, caller, bytes, site))
    return 0;
  self->sites->live[*site] += (int64_t)bytes;
  return 1;
}

static inline int memshape_site_subtract(struct memshape_thread *self, uint32_t site, uint64_t bytes) {
  if (site >= self->sites->count)
    return 0;
  self->sites->live[site] -= (int64_t)bytes;
  return 1;
}
