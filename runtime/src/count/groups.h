/* The table of finished calls.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   One group per operator, shape and settings. A group's figures are kept twice in the record. A finished call is added
   by writing the inactive copy and then switching to it, so that a reader of a dead process's record finds one complete
   copy. All functions are called under the lock. */

#pragma once

#include "record/record.h"

#include <memshape/hooks.h>

struct memshape_group;
struct memshape_reach;

/* The group of a call that begins; null when there is no room for one. */
struct memshape_group *memshape_group_of(const struct memshape_call *call);

/* The offset of its item in the record; 0 where it has none. */
uint64_t memshape_group_offset(const struct memshape_group *group);

/* Whether to measure the stack of a call that begins: the first calls, then each 2^n-th. */
int memshape_group_measures_stack(struct memshape_group *group);

/* A call that ended. Its site lists are given as copies of live bytes per site, at the peak and at entry. */
struct memshape_outcome {
  struct memshape_record_call figures;
  const struct memshape_reach *reach;
  const int64_t *at_peak, *at_entry;
  uint32_t peak_sites, entry_sites;
  struct memshape_space_window *spaces; /* may be null */
  const struct memshape_residence *residence;
};

/* Adds a call to its group and to the list of calls. */
void memshape_group_add(struct memshape_group *group, const struct memshape_outcome *outcome);

/* In a forked child, once its own record is open: all groups are empty again. */
void memshape_groups_forked(void);
