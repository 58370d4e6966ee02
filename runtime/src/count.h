/*===- count.h - Live, peak, total: the sums over all threads -------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|* Two ways of counting, both exact:
|*   totals  no instrumented module is loaded: one atomic addition to `live` per operation (a plain one while there is a
|*           single thread) whose result proposes the peak; everything that only grows is counted per thread.
|*   calls   an instrumented module has attached: sites and operator calls need one order of all operations, which the
|*           lock gives (not taken while there is a single thread).
|*
|* A signal handler that allocates while its thread is counting finds `busy` set and leaves its change for the
|* interrupted code to apply: no deadlock, nothing lost, and no lock in the handler.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_COUNT_H
#define MEMSHAPE_COUNT_H

#include "lock.h"
#include "record.h"

#include <memshape/hooks.h>

enum memshape_mode { MEMSHAPE_UNDECIDED = 0, MEMSHAPE_OFF = 1, MEMSHAPE_TOTALS = 2, MEMSHAPE_CALLS = 3 };

struct memshape_frame;

struct memshape_runtime {
  int mode;
  struct memshape_lock lock;
  struct memshape_record_header *header; /* set while mode is totals or calls */
  struct memshape_frame *windows;        /* the innermost call of every thread that is in an operator */
  uint64_t started;                      /* CLOCK_MONOTONIC of the record's start, ns */
};
extern struct memshape_runtime memshape_runtime;

enum memshape_change_kind { MEMSHAPE_ALLOCATION, MEMSHAPE_REALLOCATION, MEMSHAPE_FREE };

/* One operation on the heap, as the sums see it. */
struct memshape_change {
  uint64_t added;        /* requested bytes that come */
  uint64_t removed;      /* requested bytes that go */
  const void *caller;    /* return address of the allocation */
  uint32_t removed_site; /* of the block that goes */
  uint32_t kind;         /* enum memshape_change_kind */
};

enum { MEMSHAPE_DEFERRED = 8 };

struct memshape_thread {
  volatile int busy; /* inside the runtime's accounting */
  int bypass;        /* inside a libc function that the runtime itself called: its allocations are not the program's */
  const struct memshape_site *pending; /* what the next allocation belongs to */
  struct memshape_record_thread *line; /* null before the thread's first operation */
  struct memshape_frame *top;          /* innermost operator call of this thread */
  uintptr_t stack_low, stack_high;     /* 0 before the first operator call */
  volatile uint32_t deferred_count;    /* changes that signal handlers have left */
  struct memshape_change deferred[MEMSHAPE_DEFERRED];
};
extern _Thread_local struct memshape_thread memshape_self;

static inline int memshape_mode(void) { return __atomic_load_n(&memshape_runtime.mode, __ATOMIC_ACQUIRE); }

static inline int memshape_counting(void) { return memshape_mode() >= MEMSHAPE_TOTALS; }

/* A block was allocated; the allocator gave `usable` bytes. */
void memshape_allocated(void *block, size_t bytes, size_t usable, const void *caller);
/* A block is about to be freed. */
void memshape_freeing(void *block, size_t usable);

struct memshape_block;
/* The three steps of realloc, around the allocator's own: forget the old block; then either remember it again, or
   count the change to the new one (`block` null: it was freed). `known` says whether the old one was known. */
int memshape_resizing(void *block, size_t usable, struct memshape_block *old);
void memshape_not_resized(void *block, size_t usable, const struct memshape_block *old, int known);
void memshape_resized(void *block, size_t bytes, size_t usable, const struct memshape_block *old, int known,
                      const void *caller);

/* Enters and leaves the state in which sums, sites, calls and the record may be touched. 0: this thread is in it
   already (a signal handler): leave everything alone. */
struct memshape_section {
  int locked;
};
int memshape_section_enter(struct memshape_thread *self, struct memshape_section *section);
void memshape_section_leave(struct memshape_thread *self, struct memshape_section *section);

/* Sums over all threads; exact in a section while calls are counted. */
struct memshape_record_counts memshape_counts(void);

/* Makes a line of the record available again, and closes the calls that the thread leaves open. */
void memshape_thread_ends(struct memshape_thread *self);
/* In a forked child: the other threads are gone, and so is the parent's record. */
void memshape_count_forked(void);

#endif /* MEMSHAPE_COUNT_H */
