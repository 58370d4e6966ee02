/* Whether threads wait for each other.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   At a peak every operation may make a new maximum. An exact maximum needs one order of all operations, so threads pass
   the lock from one to the next. That is cheap while one thread works or threads seldom meet. It is expensive for a
   program that stays at its peak. So the use of the lock is watched. Threads contend if they hand it over every few
   microseconds, or give up their core to wait for it. From then on the peak is known to within some KiB per thread (see
   credit.h). A program or operator call whose other threads are idle is counted exactly.

   MEMSHAPE_RUNTIME_EXACT_PEAK (memshape run --exact-peak) forces the lock at any cost. */

#pragma once

struct memshape_thread;

/* Called when counting starts. */
void memshape_contention_start(void);

/* All under the lock. */

/* A thread has taken the lock. `stopped`: it stopped others that were counting. `yields`: how often it gave up its
   core. */
void memshape_contention_turn(const struct memshape_thread *self, int stopped, unsigned yields);
int memshape_contention_found(void);
/* Forgets what was seen: an operator call begins, or contention is over. */
void memshape_contention_forget(void);
