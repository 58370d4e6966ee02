/* Memory that can be had back.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   For libraries that hold memory which they can do without, such as a store of
   <memshape/out_of_core.h>. They give the runtime a function. The runtime calls
   it where an allocation of the program would exceed a limit, and where one has
   failed; then it tries again.

   Nothing has to be linked: both functions are weak references, which
   `memshape run` or a linked runtime fills. */

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum memshape_need {
  MEMSHAPE_NEED_OVER_LIMIT = 1, /* live bytes are above the limit, by this many; `bytes` included */
  MEMSHAPE_NEED_FAILED = 2,     /* this many bytes were refused */
  MEMSHAPE_NEED_ENDED = 3       /* the allocation that asked has ended, one way or the other */
};

enum memshape_reclaimed {
  MEMSHAPE_NOTHING_LEFT = 0, /* the allocation fails, or exceeds the limit, as it would have */
  MEMSHAPE_TRY_AGAIN = 1,    /* something was freed since the call began */
  MEMSHAPE_TAKE_RESERVE = 2  /* the calling thread is about to free memory: it gets what it needs from the reserve */
};

/* Called by the thread that allocates, within malloc, mmap or operator new. May wait for other threads. Calls with
   NEED_ENDED follow each thread's last call of the others. */
typedef int memshape_reclaimer(int need, uint64_t bytes);

/* From now on allocations of this process call `reclaimer`; null: no longer. `limit`: of live bytes, UINT64_MAX for
   none. `reserve`: bytes that are put aside now for MEMSHAPE_TAKE_RESERVE. 1: done; 0: allocations of this program do
   not reach this runtime, or there is no memory for the reserve. */
int memshape_reclaimer_set(memshape_reclaimer *reclaimer, uint64_t limit, size_t reserve) __attribute__((weak));

/* Bytes of the process: what it had in memory when the reclaimer was set, and what it has allocated and freed since
   with malloc and mmap. Threads tell after each 64 KiB. 0 without a reclaimer. */
uint64_t memshape_live_bytes(void) __attribute__((weak));

#ifdef __cplusplus
}
#endif
