/*===- contention.c - Whether threads wait for each other -----------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include "contention.h"
#include "calls.h"

#include <stdlib.h>

/* Changes of place between threads are looked at in lots. A change costs some 100 ns: rarer than every 3 us they are
   not worth a byte. A wait without a core costs as much as the scheduler pleases. */
enum { Lot = 32, NsPerChange = 3000, Waits = 4, WaitsWithinNs = 100000000 };

static int Exact, Found;
static const struct memshape_thread *Last;
static unsigned Changes, Waited;
static uint64_t ChangesSince, WaitsSince;

void memshape_contention_start(void) {
  const char *wish = secure_getenv("MEMSHAPE_RUNTIME_EXACT_PEAK");
  Exact = wish && *wish;
}

int memshape_contention_found(void) { return Found; }

void memshape_contention_forget(void) {
  Found = 0;
  Changes = Waited = 0;
  ChangesSince = WaitsSince = 0;
}

/* Counts one more of `most` within `span` from the first one on. */
static int isFull(unsigned *count, uint64_t *since, unsigned most, uint64_t span) {
  if (*count && ++*count < most)
    return 0;
  uint64_t now = memshape_now();
  int full = *count == most && now - *since < span;
  *count = 1;
  *since = now;
  return full;
}

void memshape_contention_turn(const struct memshape_thread *self, unsigned yields) {
  if (Exact || Found)
    return;
  if (self != Last) {
    Last = self;
    Found = isFull(&Changes, &ChangesSince, Lot, (uint64_t)Lot * NsPerChange);
  }
  if (yields && isFull(&Waited, &WaitsSince, Waits, WaitsWithinNs))
    Found = 1;
}
