/*===- contention.h - Whether threads wait for each other -----------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* At a peak every operation may be the one that makes a new maximum, and an exact maximum needs one order of them all:
|* threads take turns. That costs little while one thread is at work, or while they seldom meet; it costs a program that
|* lives at its peak most of its time. So turns are watched. Threads that change places every few microseconds, or that
|* had to give up their core to wait, contend; from then on the peak is known to within some KiB a thread instead (see
|* credit.h). Nothing is given up before: a program or an operator call whose other threads are idle is counted exactly.
|*
|* MEMSHAPE_RUNTIME_EXACT_PEAK (memshape run --exact-peak) says that threads shall take turns whatever it costs.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_CONTENTION_H
#define MEMSHAPE_CONTENTION_H

struct memshape_thread;

/* With the start of counting. */
void memshape_contention_start(void);

/* All under the lock. */

/* A thread has the lock; whether it stopped others that were counting, and how often it gave up its core for either. */
void memshape_contention_turn(const struct memshape_thread *self, int stopped, unsigned yields);
int memshape_contention_found(void);
/* An operator call begins, or contention has gone: what was seen so far no longer counts. */
void memshape_contention_forget(void);

#endif /* MEMSHAPE_CONTENTION_H */
