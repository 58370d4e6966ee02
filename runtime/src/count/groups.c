/* The table of finished calls.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/groups.h"
#include "count/count.h"
#include "count/kernel.h"
#include "count/reach.h"
#include "count/sites.h"
#include "count/spaces.h"
#include "record/recordfile.h"
#include "tables/interned.h"
#include "tables/pool.h"
#include "tables/table.h"

/* Calls are listed one by one up to this number; later ones are only added to their groups. */
enum { MostListedCalls = 20000, LongestName = 4096 };

/* Two areas for the list of later calls: the active slot refers to one of them, the next list is written to the other.
 */
struct memshape_group {
  struct memshape_entry entry;
  uint64_t offset; /* of the item; 0 while the record has none */
  uint64_t area[2];
  uint64_t capacity[2];
  int64_t space_peaks[MEMSHAPE_SPACES]; /* of later calls: what memshape_spaces_record has written */
  uint64_t entered;                     /* calls that began */
  uint64_t resident_peak;               /* and memshape_residence_record */
  uint32_t op, shape_count, setting_count;
  uint64_t key[]; /* the shape's values, then the settings' */
};

static struct memshape_interned Operators;
static uint32_t OperatorCount;
static uint64_t ListedCalls;

static struct memshape_table Groups;

static size_t nameBytes(const char *name) { return strnlen(name, LongestName) + 1; }

static uint32_t operatorNumber(const struct memshape_operator *op) {
  struct memshape_interned_key key = {
      op,
      {(uintptr_t)op->name, (uintptr_t)op->file, (uint64_t)op->line << 32 | op->shape_count << 8 | op->setting_count}};
  uint32_t number = memshape_interned_find(&Operators, &key);
  if (number != MEMSHAPE_NOT_INTERNED)
    return number;
  const char *module = memshape_module_of(op);
  size_t text = nameBytes(op->name) + nameBytes(op->file) + nameBytes(module);
  for (uint32_t i = 0; i < op->shape_count; ++i)
    text += nameBytes(op->shape_names[i]);
  for (uint32_t i = 0; i < op->setting_count; ++i)
    text += nameBytes(op->setting_names[i]);
  struct memshape_record_operator *item = memshape_record_append(MEMSHAPE_RECORD_OPERATOR, sizeof *item + text);
  if (!item)
    return MEMSHAPE_NOT_INTERNED;
  item->line = op->line;
  item->shape_count = op->shape_count;
  item->setting_count = op->setting_count;
  item->kind = op->kind;
  char *to = (char *)(item + 1);
  uint32_t symbols = 2 + op->shape_count, all = symbols + op->setting_count;
  for (uint32_t i = 0; i <= all; ++i) {
    const char *name = i == 0        ? op->name
                       : i == 1      ? op->file
                       : i < symbols ? op->shape_names[i - 2]
                       : i < all     ? op->setting_names[i - symbols]
                                     : module;
    size_t bytes = nameBytes(name);
    memcpy(to, name, bytes - 1); /* the item is zeroed: the end is there */
    to += bytes;
  }
  memshape_record_publish_whole(item);
  memshape_interned_set(&Operators, &key, OperatorCount);
  return OperatorCount++;
}

static struct memshape_record_group *itemOf(const struct memshape_group *group) {
  return memshape_record_at(group->offset);
}

/* Compare and copy values of a call; a call without any may give null for them. */
static int sameValues(const void *a, const void *b, uint32_t count) {
  return count == 0 || memcmp(a, b, 8 * (size_t)count) == 0;
}

static void copyValues(void *to, const void *from, uint32_t count) {
  if (count)
    memcpy(to, from, 8 * (size_t)count);
}

static int sameKey(const struct memshape_group *group, uint64_t hash, uint32_t op, const struct memshape_call *call) {
  return group->entry.hash == hash && group->op == op && group->shape_count == call->op->shape_count &&
         group->setting_count == call->op->setting_count && sameValues(group->key, call->shape, group->shape_count) &&
         sameValues(group->key + group->shape_count, call->settings, group->setting_count);
}

static uint64_t slotChecksum(const struct memshape_record_slot *slot) {
  uint64_t sum =
      memshape_record_checksum(MEMSHAPE_RECORD_CHECKSUM_START, &slot->jumped, sizeof *slot - sizeof slot->checksum);
  const struct memshape_record_figures *both[2] = {&slot->first, &slot->later};
  for (int i = 0; i < 2; ++i)
    if (both[i]->list_count)
      sum = memshape_record_checksum(sum, memshape_record_at(both[i]->list),
                                     both[i]->list_count * sizeof(struct memshape_record_entry));
  return sum;
}

/* Gives the group its item in the record. */
static int makeItem(struct memshape_group *group) {
  size_t keyBytes = (group->shape_count + group->setting_count) * sizeof *group->key;
  struct memshape_record_group *item = memshape_record_append(MEMSHAPE_RECORD_GROUP, sizeof *item + keyBytes);
  if (!item)
    return 0;
  item->op = group->op;
  item->shape_count = group->shape_count;
  item->setting_count = group->setting_count;
  memcpy(item + 1, group->key, keyBytes);
  item->slots[0].checksum = slotChecksum(&item->slots[0]);
  /* What changes lies between the two parts of the key: the checksum leaves it out. */
  uint64_t sum = memshape_record_checksum(MEMSHAPE_RECORD_CHECKSUM_START, &item->op, 4 * sizeof item->op);
  group->offset = memshape_record_publish(item, memshape_record_checksum(sum, item + 1, keyBytes));
  return 1;
}

struct memshape_group *memshape_group_of(const struct memshape_call *call) {
  uint32_t op = operatorNumber(call->op);
  size_t shapeBytes = call->op->shape_count * sizeof *call->shape;
  size_t settingBytes = call->op->setting_count * sizeof *call->settings;
  if (op == MEMSHAPE_NOT_INTERNED || !memshape_table_reserve(&Groups))
    return NULL;
  uint64_t hash = memshape_record_checksum(op + 1, call->shape, shapeBytes);
  hash = memshape_record_checksum(hash, call->settings, settingBytes);
  struct memshape_group *group = (struct memshape_group *)*memshape_table_bucket(&Groups, hash);
  while (group && !sameKey(group, hash, op, call))
    group = (struct memshape_group *)group->entry.next;
  if (!group) {
    size_t bytes = sizeof *group + shapeBytes + settingBytes;
    if (!(group = memshape_pool_get(bytes)))
      return NULL;
    memset(group, 0, bytes);
    group->entry.hash = hash;
    group->op = op;
    group->shape_count = call->op->shape_count;
    group->setting_count = call->op->setting_count;
    copyValues(group->key, call->shape, group->shape_count);
    copyValues(group->key + group->shape_count, call->settings, group->setting_count);
    memshape_table_add(&Groups, &group->entry);
  }
  return group->offset || makeItem(group) ? group : NULL;
}

uint64_t memshape_group_offset(const struct memshape_group *group) { return group->offset; }

int memshape_group_measures_stack(struct memshape_group *group) {
  enum { FirstCalls = 4 };
  uint64_t number = ++group->entered;
  return number <= FirstCalls || (number & (number - 1)) == 0;
}

static int64_t siteBytes(const struct memshape_outcome *outcome, uint32_t site) {
  return outcome->at_peak[site] - (site < outcome->entry_sites ? outcome->at_entry[site] : 0);
}

/* Writes the sites that hold something to `area`, made larger when needed. */
static void writeList(const struct memshape_outcome *outcome, struct memshape_record_figures *figures, uint64_t *area,
                      uint64_t *capacity) {
  uint64_t count = 0;
  for (uint32_t site = 0; site < outcome->peak_sites; ++site)
    count += siteBytes(outcome, site) != 0;
  figures->list = figures->list_count = 0;
  if (count > *capacity) {
    struct memshape_record_list *item =
        memshape_record_append(MEMSHAPE_RECORD_LIST, sizeof *item + count * sizeof(struct memshape_record_entry));
    if (!item)
      return;
    *area = memshape_record_publish(item, 0) + sizeof *item;
    *capacity = count;
  }
  if (count == 0)
    return;
  struct memshape_record_entry *entry = memshape_record_at(*area);
  for (uint32_t site = 0; site < outcome->peak_sites; ++site)
    if (siteBytes(outcome, site) != 0)
      *entry++ = (struct memshape_record_entry){site, 0, siteBytes(outcome, site)};
  figures->list = *area;
  figures->list_count = count;
}

static void addFigures(struct memshape_record_figures *figures, const struct memshape_outcome *outcome, uint64_t *area,
                       uint64_t *capacity) {
  const struct memshape_record_call *call = &outcome->figures;
  ++figures->calls;
  figures->time += call->time;
  if (figures->calls == 1 || call->peak < figures->peak_least)
    figures->peak_least = call->peak;
  if (figures->calls == 1 || call->peak_most > figures->peak_most)
    figures->peak_most = call->peak_most;
  if (figures->calls != 1 && call->peak <= figures->peak)
    return;
  figures->peak = call->peak;
  figures->total = call->total;
  figures->allocations = call->allocations;
  figures->reallocations = call->reallocations;
  figures->output = call->output;
  writeList(outcome, figures, area, capacity);
}

static void listCall(struct memshape_group *group, const struct memshape_record_call *call) {
  struct memshape_record_call *item = NULL;
  if (ListedCalls < MostListedCalls)
    item = memshape_record_append(MEMSHAPE_RECORD_CALL, sizeof *item);
  if (!item) {
    ++memshape_runtime.header->unlisted_calls;
    return;
  }
  struct memshape_record_head head = item->head;
  *item = *call;
  item->head = head;
  item->group = group->offset;
  memshape_record_publish_whole(item);
  ++ListedCalls;
}

void memshape_group_add(struct memshape_group *group, const struct memshape_outcome *outcome) {
  if (!group->offset && !makeItem(group)) { /* a call in flight at a fork has no item in the child's record */
    ++memshape_runtime.header->lost_calls;
    return;
  }
  struct memshape_record_group *item = itemOf(group);
  const struct memshape_record_slot *active = &item->slots[item->active];
  struct memshape_record_slot *next = &item->slots[1 - item->active];
  *next = *active;
  if (outcome->figures.ending == MEMSHAPE_RECORD_JUMPED) {
    ++next->jumped; /* noticed late: such a call's figures hold what came after the jump */
  } else if (outcome->figures.ending == MEMSHAPE_RECORD_UNFINISHED) {
    ++next->unfinished;
  } else if (active->first.calls == 0) {
    uint64_t area = 0, capacity = 0; /* the first call's list is never written again */
    addFigures(&next->first, outcome, &area, &capacity);
  } else {
    unsigned free = active->later.list_count && active->later.list == group->area[0];
    addFigures(&next->later, outcome, &group->area[free], &group->capacity[free]);
  }
  if (outcome->figures.ending == MEMSHAPE_RECORD_RETURNED) {
    int isFirst = active->first.calls == 0;
    memshape_spaces_record(outcome->spaces, &outcome->figures, group->offset, isFirst, group->space_peaks);
    memshape_reach_record(outcome->reach, &outcome->figures, group->offset, isFirst,
                          &group->space_peaks[MEMSHAPE_SPACE_STACK]);
    memshape_residence_record(outcome->residence, outcome->figures.sequence, group->offset, isFirst,
                              &group->resident_peak);
  }
  next->checksum = slotChecksum(next);
  __atomic_store_n(&item->active, 1 - item->active, __ATOMIC_RELEASE);
  listCall(group, &outcome->figures);
}

void memshape_groups_forked(void) {
  for (size_t i = 0; i < Groups.bucket_count; ++i)
    for (struct memshape_entry *entry = Groups.buckets[i]; entry; entry = entry->next) {
      struct memshape_group *group = (struct memshape_group *)entry;
      memset(group->space_peaks, 0, sizeof group->space_peaks);
      group->resident_peak = 0;
      group->offset = group->area[0] = group->area[1] = group->capacity[0] = group->capacity[1] = 0;
    }
  ListedCalls = 0;
}
