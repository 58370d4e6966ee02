/* Memory that does not come from malloc.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/spaces.h"
#include "count/calls.h"
#include "count/sites.h"
#include "count/start.h"
#include "record/recordfile.h"
#include "tables/pool.h"

_Thread_local const struct memshape_site *memshape_space_pending;
_Thread_local int memshape_device_depth;

/* In the record, where a reader finds them however the process ends; here while there is no room in it. The first
   entries, one per space, stand for unattributed memory, so that every block has a holder. */
static struct memshape_record_holders Unrecorded;
static struct memshape_record_holders *Table = &Unrecorded;
static struct memshape_record_holder *Holders = Unrecorded.holders;
static uint32_t HolderCount;                      /* 0 before the first change */
static uint16_t HolderOfSite[MEMSHAPE_MAX_SITES]; /* 0 for none */

static struct memshape_record_space *figuresOf(uint32_t space) { return &memshape_runtime.header->spaces[space]; }

static void putTableIntoRecord(void) {
  struct memshape_record_holders *item = memshape_record_append(MEMSHAPE_RECORD_HOLDERS, sizeof *item);
  if (!item)
    return;
  item->count = Unrecorded.count = HolderCount;
  memcpy(item->holders, Unrecorded.holders, HolderCount * sizeof *item->holders);
  memshape_record_publish(item, 0);
  Table = item;
  Holders = item->holders;
}

static uint32_t addHolder(uint32_t site, uint32_t space) {
  Holders[HolderCount] = (struct memshape_record_holder){site, space, 0};
  __atomic_store_n(&Table->count, HolderCount + 1, __ATOMIC_RELEASE);
  return HolderCount++;
}

uint32_t memshape_space_holder(uint32_t space, const struct memshape_site *source, const void *caller) {
  memshape_sites_start();
  if (HolderCount == 0) {
    putTableIntoRecord();
    while (HolderCount < MEMSHAPE_SPACES)
      addHolder(MEMSHAPE_UNATTRIBUTED, HolderCount);
  }
  uint32_t site = source ? memshape_site_number(source) : memshape_library_number(caller, space);
  uint32_t known = HolderOfSite[site];
  if (known && Holders[known].space == space)
    return known;
  for (uint32_t i = 0; known && i < HolderCount; ++i) /* a site with memory in two spaces */
    if (Holders[i].site == site && Holders[i].space == space)
      return i;
  if (site == MEMSHAPE_UNATTRIBUTED || HolderCount == MEMSHAPE_RECORD_MOST_HOLDERS)
    return space;
  HolderOfSite[site] = (uint16_t)HolderCount;
  return addHolder(site, space);
}

static struct memshape_record_space AtFork[MEMSHAPE_SPACES];

/*===-- Windows -----------------------------------------------------------===*/

struct memshape_space_window {
  struct memshape_record_space before[MEMSHAPE_SPACES]; /* at entry */
  int64_t most[MEMSHAPE_SPACES];                        /* the largest live since */
  uint32_t stale;                                       /* bit per space: at_peak is older than most */
  uint32_t entry_holders;
  uint32_t capacity; /* of each copy */
  int64_t *at_entry; /* live per holder */
  int64_t *at_peak;  /* likewise: a holder has one space, so one array serves all */
};

static int makeRoom(struct memshape_space_window *window) {
  return memshape_pool_room(&window->capacity, HolderCount, &window->at_entry, &window->at_peak);
}

static struct memshape_space_window *newWindow(void) {
  struct memshape_space_window *window = memshape_pool_get(sizeof *window);
  if (window)
    memset(window, 0, sizeof *window);
  return window;
}

static void giveWindow(struct memshape_space_window *window) {
  if (window->capacity)
    memshape_pool_put(window->at_entry, 2 * (size_t)window->capacity * sizeof *window->at_entry);
  memshape_pool_put(window, sizeof *window);
}

struct memshape_space_window *memshape_spaces_enter(void) {
  if (HolderCount == 0)
    return NULL;
  struct memshape_space_window *window = newWindow();
  if (!window)
    return NULL;
  for (uint32_t space = 0; space < MEMSHAPE_SPACES; ++space) {
    window->before[space] = *figuresOf(space);
    window->most[space] = window->before[space].live;
  }
  if (makeRoom(window))
    for (uint32_t i = 0; i < HolderCount; ++i)
      window->at_entry[i] = window->at_peak[i] = Holders[i].live;
  return window;
}

static void settleSpace(struct memshape_space_window *window, uint32_t space) {
  window->stale &= ~(1u << space);
  if (!makeRoom(window))
    return;
  for (uint32_t i = 0; i < HolderCount; ++i)
    if (Holders[i].space == space)
      window->at_peak[i] = Holders[i].live;
}

void memshape_spaces_settle(struct memshape_space_window *window) {
  for (uint32_t space = 0; window && space < MEMSHAPE_SPACES; ++space)
    if (window->stale & 1u << space)
      settleSpace(window, space);
}

void memshape_spaces_leave(struct memshape_space_window *inner, struct memshape_space_window **outer) {
  if (!inner)
    return;
  memshape_spaces_settle(inner);
  if (outer && !*outer)
    *outer = newWindow(); /* that call began before any space was in use: zeros */
  if (outer && *outer && makeRoom(*outer) && makeRoom(inner))
    for (uint32_t space = 0; space < MEMSHAPE_SPACES; ++space)
      if (inner->most[space] > (*outer)->most[space]) {
        (*outer)->most[space] = inner->most[space];
        (*outer)->stale &= ~(1u << space);
        for (uint32_t i = 0; i < HolderCount; ++i)
          if (Holders[i].space == space)
            (*outer)->at_peak[i] = inner->at_peak[i];
      }
  giveWindow(inner);
}

void memshape_space_change(uint32_t holder, enum memshape_change_kind kind, uint64_t added, uint64_t removed) {
  uint32_t space = Holders[holder].space;
  struct memshape_record_space *figures = figuresOf(space);
  if (added <= removed)
    for (struct memshape_frame *frame = memshape_runtime.windows; frame; frame = frame->next)
      if (frame->spaces && frame->spaces->stale & 1u << space)
        settleSpace(frame->spaces, space);
  Holders[holder].live += (int64_t)(added - removed);
  figures->total += added;
  ++*(kind == MEMSHAPE_ALLOCATION     ? &figures->allocations
      : kind == MEMSHAPE_REALLOCATION ? &figures->reallocations
                                      : &figures->frees);
  figures->live += (int64_t)(added - removed);
  if (figures->live > figures->peak)
    figures->peak = figures->live;
  for (struct memshape_frame *frame = memshape_runtime.windows; frame; frame = frame->next) {
    if (!frame->spaces && !(frame->spaces = newWindow()))
      continue;
    if (figures->live > frame->spaces->most[space]) {
      frame->spaces->most[space] = figures->live;
      frame->spaces->stale |= 1u << space;
    }
  }
}

/* Lists what the call held of each holder at the peak of `space`; returns how many entries there are. */
static uint64_t entriesOf(const struct memshape_space_window *window, uint32_t space,
                          struct memshape_record_entry *entries) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < HolderCount && i < window->capacity; ++i) {
    int64_t bytes = window->at_peak[i] - window->at_entry[i];
    if (Holders[i].space != space || bytes == 0)
      continue;
    if (entries)
      entries[count] = (struct memshape_record_entry){Holders[i].site, 0, bytes};
    ++count;
  }
  return count;
}

void memshape_spaces_record(struct memshape_space_window *window, const struct memshape_record_call *call,
                            uint64_t group, int is_first, int64_t peaks[MEMSHAPE_SPACES]) {
  memshape_spaces_settle(window);
  for (uint32_t space = 0; window && space < MEMSHAPE_SPACES; ++space) {
    const struct memshape_record_space *before = &window->before[space], *now = figuresOf(space);
    int64_t peak = window->most[space] - before->live;
    if (now->allocations == before->allocations && now->frees == before->frees &&
        now->reallocations == before->reallocations)
      continue;
    if (!is_first && peaks[space] > peak) /* kept as peak + 1, so that 0 means none */
      continue;
    uint64_t count = entriesOf(window, space, NULL);
    struct memshape_record_space_call *item =
        memshape_record_append(MEMSHAPE_RECORD_SPACE_CALL, sizeof *item + count * sizeof(struct memshape_record_entry));
    if (!item)
      return;
    item->group = group;
    item->sequence = call->sequence;
    item->space = space;
    item->later = !is_first;
    item->peak = peak;
    item->total = now->total - before->total;
    item->allocations = now->allocations - before->allocations;
    item->reallocations = now->reallocations - before->reallocations;
    item->output = now->live - before->live;
    entriesOf(window, space, (struct memshape_record_entry *)(item + 1));
    memshape_record_publish_whole(item);
    if (!is_first)
      peaks[space] = peak + 1;
  }
}

/*===-- Blocks ------------------------------------------------------------===*/

static struct memshape_table Blocks;

static uint64_t hashOf(uint32_t family, uint64_t name) { return (name + family) * 0x9e3779b97f4a7c15u >> 24; }

static int remember(const struct memshape_space_block *from) {
  struct memshape_space_block *block = NULL;
  if (memshape_table_reserve(&Blocks) && (block = memshape_pool_get(sizeof *block))) {
    *block = *from;
    block->entry.hash = hashOf(block->family, block->name);
    memshape_table_add(&Blocks, &block->entry);
  }
  return block != NULL;
}

static int forget(uint32_t family, uint64_t name, struct memshape_space_block *taken) {
  struct memshape_entry **place = memshape_table_bucket(&Blocks, hashOf(family, name));
  for (struct memshape_space_block *block; (block = (struct memshape_space_block *)*place); place = &(*place)->next)
    if (block->name == name && block->family == family) {
      *taken = *block;
      memshape_pool_put(memshape_table_remove(&Blocks, place), sizeof *block);
      return 1;
    }
  return 0;
}

static int enter(struct memshape_section *section) {
  if (memshape_self.bypass || (!memshape_counting() && !memshape_start()))
    return 0;
  if (memshape_section_enter(&memshape_self, section))
    return 1;
  __atomic_fetch_add(&memshape_runtime.header->lost_operations, 1, __ATOMIC_RELAXED); /* in a signal handler */
  return 0;
}

void memshape_space_put(uint32_t space, uint32_t family, uint64_t name, uint64_t bytes, const void *caller) {
  memshape_space_put_owned(space, family, name, bytes, 0, caller);
}

void memshape_space_put_owned(uint32_t space, uint32_t family, uint64_t name, uint64_t bytes, uint64_t owner,
                              const void *caller) {
  const struct memshape_site *source = memshape_space_pending;
  struct memshape_section section;
  struct memshape_space_block block = {{NULL, 0}, name, bytes, owner, family, 0}, stale;
  memshape_space_pending = NULL;
  if (!enter(&section))
    return;
  /* The same name again: a free that was not seen. */
  if (forget(family, name, &stale))
    memshape_space_change(stale.holder, MEMSHAPE_FREE, 0, stale.bytes);
  block.holder = memshape_space_holder(space, source, caller);
  if (remember(&block))
    memshape_space_change(block.holder, MEMSHAPE_ALLOCATION, bytes, 0);
  else
    ++memshape_runtime.header->lost_operations;
  memshape_section_leave(&memshape_self, &section);
}

void memshape_space_end_owner(uint64_t owner) {
  struct memshape_section section;
  if (!owner || !enter(&section))
    return;
  for (size_t i = 0; i < Blocks.bucket_count; ++i)
    for (struct memshape_entry **place = &Blocks.buckets[i]; *place;) {
      struct memshape_space_block *block = (struct memshape_space_block *)*place;
      if (block->owner != owner) {
        place = &block->entry.next;
        continue;
      }
      memshape_table_remove(&Blocks, place);
      memshape_space_change(block->holder, MEMSHAPE_FREE, 0, block->bytes);
      memshape_pool_put(block, sizeof *block);
    }
  memshape_section_leave(&memshape_self, &section);
}

void memshape_space_lost(void) {
  memshape_space_pending = NULL;
  if (memshape_counting())
    __atomic_fetch_add(&memshape_runtime.header->lost_operations, 1, __ATOMIC_RELAXED);
}

int memshape_space_take(uint32_t family, uint64_t name, struct memshape_space_block *taken) {
  struct memshape_section section;
  if (!enter(&section))
    return 0;
  int known = forget(family, name, taken);
  if (known)
    memshape_space_change(taken->holder, MEMSHAPE_FREE, 0, taken->bytes);
  memshape_section_leave(&memshape_self, &section);
  return known;
}

void memshape_space_untake(const struct memshape_space_block *taken) {
  struct memshape_section section;
  if (!enter(&section))
    return;
  struct memshape_record_space *figures = figuresOf(Holders[taken->holder].space);
  if (remember(taken)) {
    memshape_space_change(taken->holder, MEMSHAPE_ALLOCATION, taken->bytes, 0);
    figures->total -= taken->bytes;
    --figures->allocations;
    --figures->frees;
  }
  memshape_section_leave(&memshape_self, &section);
}

void memshape_spaces_before_fork(void) {
  for (uint32_t space = 0; HolderCount && space < MEMSHAPE_SPACES; ++space)
    AtFork[space] = *figuresOf(space);
  if (Table != &Unrecorded)
    memcpy(Unrecorded.holders, Holders, HolderCount * sizeof *Holders);
}

/* The child's sums start at 0, so the entry values of calls in flight are lowered by the parent's. */
void memshape_space_window_forked(struct memshape_space_window *window) {
  for (uint32_t space = 0; window && space < MEMSHAPE_SPACES; ++space) {
    struct memshape_record_space *before = &window->before[space];
    before->total -= AtFork[space].total;
    before->allocations -= AtFork[space].allocations;
    before->reallocations -= AtFork[space].reallocations;
    before->frees -= AtFork[space].frees;
  }
}

void memshape_spaces_forked(void) {
  Table = &Unrecorded;
  Holders = Unrecorded.holders;
  if (HolderCount)
    putTableIntoRecord();
  for (uint32_t space = 0; HolderCount && space < MEMSHAPE_SPACES; ++space) {
    struct memshape_record_space *figures = figuresOf(space);
    figures->live = figures->peak = figures->inherited = AtFork[space].live;
  }
  for (struct memshape_frame *frame = memshape_self.top; frame; frame = frame->outer)
    memshape_space_window_forked(frame->spaces);
}
