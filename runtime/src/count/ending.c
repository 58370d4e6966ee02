/* The last word of a process.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/ending.h"
#include "count/count.h"
#include "count/kernel.h"

#include <errno.h>
#include <unistd.h>

int memshape_ending(enum memshape_record_state state) {
  struct memshape_record_header *header = memshape_counting() ? memshape_runtime.header : NULL;
  int saved = errno;
  if (!header || header->pid != (uint64_t)getpid())
    return 0;
  uint64_t before = __atomic_load_n(&header->state, __ATOMIC_ACQUIRE);
  if (before != MEMSHAPE_RECORD_RUNNING && before != MEMSHAPE_RECORD_ABORTED) /* a handler may have caught the abort */
    return 0;
  uint64_t resident = memshape_resident_peak();
  int written = __atomic_compare_exchange_n(&header->state, &before, state, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
  if (written)
    header->rss_peak = resident;
  errno = saved;
  return written;
}

void memshape_ending_withdrawn(void) {
  memshape_runtime.header->rss_peak = 0;
  __atomic_store_n(&memshape_runtime.header->state, MEMSHAPE_RECORD_RUNNING, __ATOMIC_RELEASE);
}
