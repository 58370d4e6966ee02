/* Allocations that ask for memory to be freed.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "trap/trap.h"

#include <errno.h>

struct memshape_trap memshape_trap;
_Thread_local int64_t memshape_trap_untold;

/* Where nothing is left to free, so much more is allocated before the next question. */
enum { QuietBytes = 1 << 20 };

static int64_t load(const int64_t *place) { return __atomic_load_n(place, __ATOMIC_RELAXED); }
static void store(int64_t *place, int64_t value) { __atomic_store_n(place, value, __ATOMIC_RELAXED); }

static memshape_reclaimer *reclaimer(void) { return __atomic_load_n(&memshape_trap.reclaimer, __ATOMIC_ACQUIRE); }

void memshape_trap_set(memshape_reclaimer *reclaimer, int64_t limit, int64_t live) {
  store(&memshape_trap.limit, limit);
  if (live >= 0)
    store(&memshape_trap.live, live);
  store(&memshape_trap.quiet, 0);
  __atomic_store_n(&memshape_trap.reclaimer, reclaimer, __ATOMIC_RELEASE);
}

void memshape_trap_tell(int64_t untold) {
  memshape_trap_untold = 0;
  __atomic_fetch_add(&memshape_trap.live, untold, __ATOMIC_RELAXED);
}

/* Asks for what is above the limit. */
static void keepLimit(struct memshape_attempt *attempt) {
  int64_t live = load(&memshape_trap.live), limit = load(&memshape_trap.limit);
  if (live <= limit) {
    if (load(&memshape_trap.quiet))
      store(&memshape_trap.quiet, 0);
    return;
  }
  memshape_reclaimer *ask = reclaimer();
  if (live <= load(&memshape_trap.quiet) || !ask)
    return;
  int saved = errno;
  attempt->asked = ask;
  if (ask(MEMSHAPE_NEED_OVER_LIMIT, (uint64_t)(live - limit)) == MEMSHAPE_NOTHING_LEFT)
    store(&memshape_trap.quiet, live + QuietBytes);
  errno = saved;
}

void memshape_attempt_tell(struct memshape_attempt *attempt) {
  if (attempt->bytes > PTRDIFF_MAX)
    return; /* will fail */
  attempt->told = (int64_t)attempt->bytes;
  __atomic_fetch_add(&memshape_trap.live, attempt->told, __ATOMIC_RELAXED);
  keepLimit(attempt);
}

void memshape_attempt_untold(struct memshape_attempt *attempt, int64_t untold) {
  memshape_trap_tell(untold);
  if (untold > 0)
    keepLimit(attempt);
}

int memshape_attempt_failed(struct memshape_attempt *attempt) {
  memshape_reclaimer *ask = reclaimer();
  if (!ask || attempt->bytes > PTRDIFF_MAX)
    return 0;
  attempt->asked = ask;
  int found = ask(MEMSHAPE_NEED_FAILED, attempt->bytes);
  attempt->from_reserve = found == MEMSHAPE_TAKE_RESERVE;
  errno = ENOMEM;
  return found == MEMSHAPE_TRY_AGAIN;
}

void memshape_attempt_close(const struct memshape_attempt *attempt) {
  int saved = errno;
  attempt->asked(MEMSHAPE_NEED_ENDED, attempt->bytes);
  errno = saved;
}

__attribute__((visibility("default"))) uint64_t memshape_live_bytes(void) {
  if (!reclaimer())
    return 0;
  memshape_trap_tell(memshape_trap_untold);
  int64_t live = load(&memshape_trap.live);
  return live > 0 ? (uint64_t)live : 0;
}
