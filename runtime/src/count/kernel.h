/* What the kernel says of this process's memory.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Off unless MEMSHAPE_RUNTIME_KERNEL is set (memshape run --kernel), because it costs system calls:
     - a snapshot (/proc/self/smaps summed, and the allocator's own statistics) when the heap falls from a peak that is
       a twentieth above the last one, and at the end: some 0.1 ms, and 1 us per mapping;
     - with every operator call two reads of /proc/self/status, and a reset of the kernel's resident peak in between (5
       written to /proc/self/clear_refs, which changes nothing else): some 50 us per call.
   Figures of a file that does not exist are 0. */

#pragma once

#include "record/record.h"

struct memshape_kernel {
  int watching;
  int resets;         /* the kernel's resident peak can be reset */
  int64_t next_peak;  /* a heap that falls from here or above is worth a snapshot */
  uint64_t most_seen; /* resident peak before it was reset */
};
extern struct memshape_kernel memshape_kernel;

/* At the start of counting; in a forked child. */
void memshape_kernel_start(void);
void memshape_kernel_forked(void);

/* In a section. */
void memshape_kernel_snapshot(enum memshape_record_moment moment);

/* Whether the heap is at a peak, and the next operation that lowers it is to take a snapshot first. In a section. */
static inline int memshape_kernel_at_peak(const struct memshape_record_header *header) {
  return __builtin_expect(memshape_kernel.watching, 0) && header->live == header->peak &&
         header->peak >= memshape_kernel.next_peak;
}

/* What one operator call saw. Bytes. */
struct memshape_residence {
  uint64_t entry; /* resident at entry; 0: not watched */
  uint64_t most;
  uint64_t exit;
  uint64_t minor, major; /* page faults of the process so far; after leave: during the call */
};

/* At a call's begin and end; the call around it is updated too. In a section, while the frame is not among the windows
   yet, and while it still is. */
void memshape_residence_enter(struct memshape_residence *residence);
void memshape_residence_leave(struct memshape_residence *residence);
void memshape_residence_teach(struct memshape_residence *outer, const struct memshape_residence *inner);
/* Records what a finished call saw, if it is its group's first one or raises `most`, the maximum of the later ones. */
void memshape_residence_record(const struct memshape_residence *residence, uint64_t sequence, uint64_t group,
                               int is_first, uint64_t *most);

/* The larger of the kernel's resident peak and what was seen before it was reset; 0 when unknown. */
uint64_t memshape_resident_peak(void);
