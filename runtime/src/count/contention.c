/* Whether threads wait for each other.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/contention.h"
#include "count/calls.h"

#include <stdlib.h>

/* Operations under the lock are judged in lots; one that stopped all other threads counts as several. Threads contend
   in a lot if they hand over the lock every 3 us or more often (then it costs more than some percent), or if they
   waited without a core. Anything rarer does not justify an inexact peak. */
enum { Lot = 1024, Stop = 8, LeastChanges = 64, NsPerChange = 3000, LeastWaits = 4, WaitsWithinNs = 100000000 };

static int Exact, Found;
static const struct memshape_thread *Last;
static uint32_t LockUses, Changes, Waits;
static uint64_t Since;

void memshape_contention_start(void) {
  const char *wish = secure_getenv("MEMSHAPE_RUNTIME_EXACT_PEAK");
  Exact = wish && *wish;
}

int memshape_contention_found(void) { return Found; }

void memshape_contention_forget(void) {
  Found = 0;
  LockUses = 0;
}

void memshape_contention_turn(const struct memshape_thread *self, int stopped, unsigned yields) {
  if (Exact || Found)
    return;
  if (LockUses == 0) {
    Changes = Waits = 0;
    Since = memshape_now();
  }
  LockUses += stopped ? Stop : 1;
  Changes += self != Last;
  Waits += yields != 0;
  Last = self;
  if (LockUses < Lot)
    return;
  uint64_t spent = memshape_now() - Since;
  Found = (Changes >= LeastChanges && (uint64_t)Changes * NsPerChange > spent) ||
          (Waits >= LeastWaits && spent < WaitsWithinNs);
  LockUses = 0;
}
