/* How far an operator call's stack reaches.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   When the call begins, the unused part of the thread's stack is painted: the resident pages below the stack pointer.
   At the end, the lowest word without paint (or without zeros, in pages that became resident since) tells how deep the
   stack was written.

       operator's frame | hook's frames | paint paint paint paint | no pages
       ^ base                                    ^ lowest word that was written

   That costs microseconds, so of each group the first calls are measured and then each 2^n-th. Words that were reserved
   but not written do not count; the frames of the runtime itself stand in the first few hundred bytes. */

#pragma once

#include "count/count.h"
#include "record/record.h"

struct memshape_reach {
  uintptr_t base;   /* where the operator's frame begins; 0: this call is not measured */
  uintptr_t lowest; /* address written since */
};

/* Outside sections, on the call's own thread. `outer`: that of the innermost call around it that is measured, or null.
 */
void memshape_reach_begin(struct memshape_thread *self, const struct memshape_call *call, struct memshape_reach *reach,
                          struct memshape_reach *outer);
void memshape_reach_end(struct memshape_thread *self, struct memshape_reach *reach, struct memshape_reach *outer);

/* Records it as the call's peak in the space `stack`, if it is the group's first call or raises `most`, the peak of
   later ones + 1. In a section. */
void memshape_reach_record(const struct memshape_reach *reach, const struct memshape_record_call *call, uint64_t group,
                           int is_first, int64_t *most);
