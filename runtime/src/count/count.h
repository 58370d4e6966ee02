/* Live, peak, total: the sums over all threads.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What an operation costs other threads is described in credit.h: usually nothing. Sites and operator calls are counted
   once an instrumented module has attached (mode calls); before that, only sums are (mode totals).

   A signal handler that allocates while its thread is counting finds `busy` set and leaves its change for the
   interrupted code to apply: no deadlock, nothing lost, and no lock in the handler. */

#pragma once

#include "record/record.h"
#include "tables/lock.h"

#include <memshape/hooks.h>

enum memshape_mode { MEMSHAPE_UNDECIDED = 0, MEMSHAPE_OFF = 1, MEMSHAPE_TOTALS = 2, MEMSHAPE_CALLS = 3 };

struct memshape_frame;
struct memshape_site_changes;

struct memshape_runtime {
  int mode;
  struct memshape_lock lock;
  struct memshape_record_header *header; /* set while mode is totals or calls */
  struct memshape_frame *windows;        /* the innermost call of every thread that is in an operator */
  uint64_t started;                      /* CLOCK_MONOTONIC of the record's start, ns */
  uint32_t intact;                       /* set once `mode` has been decided */
  /* On a page of its own, which the kernel fills with zeros in a child. A child that no fork handler saw (the system
     call itself) therefore finds `mode` undecided and does not count into its parent's record. See start.c. */
  char rest[4096 - 40];
};
extern struct memshape_runtime memshape_runtime;

enum memshape_change_kind { MEMSHAPE_ALLOCATION, MEMSHAPE_REALLOCATION, MEMSHAPE_FREE };

/* One operation on the heap. */
struct memshape_change {
  uint64_t added;        /* requested bytes that come */
  uint64_t removed;      /* requested bytes that go */
  const void *caller;    /* return address of the allocation */
  uint32_t removed_site; /* of the block that goes */
  uint32_t kind;         /* enum memshape_change_kind */
};

/* MEMSHAPE_MEMOS is a power of two. */
enum { MEMSHAPE_DEFERRED = 8, MEMSHAPE_MEMOS = 32 };

/* The number of the site, or of the library around the code, at an address. */
struct memshape_site_memo {
  const void *address;
  uint32_t number;
  uint32_t generation;
};

struct memshape_thread {
  struct memshape_record_thread *line; /* null before the thread's first operation */
  const struct memshape_site *pending; /* what the next allocation belongs to */
  const void *requester;               /* the caller of an operator new that calls malloc; null: malloc's own caller */
  int bypass;        /* inside a libc function that the runtime itself called: its allocations are not the program's */
  volatile int busy; /* in a section; a thread that counts in its line is busy there */
  struct memshape_site_changes *sites; /* of its line */
  struct memshape_frame *top;          /* innermost operator call of this thread */
  struct memshape_last {
    struct memshape_call_figures figures;
    int known;
  } last_call, last_phase;          /* that ended on this thread */
  uintptr_t paint_low, paint_high;  /* see reach.h */
  uintptr_t stack_low, stack_high;  /* 0 before the first operator call */
  volatile uint32_t deferred_count; /* changes that signal handlers have left */
  struct memshape_change deferred[MEMSHAPE_DEFERRED];
  struct memshape_site_memo memos[MEMSHAPE_MEMOS];
};
extern _Thread_local struct memshape_thread memshape_self;

/* For functions that a fast path seldom calls: the fast path then need not save registers around the call. */
#if defined(__has_attribute)
#if __has_attribute(preserve_most) && defined(__x86_64__)
#define MEMSHAPE_SELDOM __attribute__((preserve_most, cold, noinline))
#endif
#endif
#ifndef MEMSHAPE_SELDOM
#define MEMSHAPE_SELDOM __attribute__((cold, noinline))
#endif

static inline int memshape_mode(void) { return __atomic_load_n(&memshape_runtime.mode, __ATOMIC_ACQUIRE); }

static inline int memshape_counting(void) { return memshape_mode() >= MEMSHAPE_TOTALS; }

/* Counts what signal handlers of this thread have left. */
MEMSHAPE_SELDOM void memshape_apply_deferred(struct memshape_thread *self);

/* Enters and leaves the state in which sums, sites, calls and the record may be changed, because no other thread
   counts. 0: this thread is already counting (a signal handler): change nothing. */
struct memshape_section {
  int locked;
  int interrupts; /* other threads were counting on their own before, and may do so again afterwards */
};
int memshape_section_enter(struct memshape_thread *self, struct memshape_section *section);
void memshape_section_leave(struct memshape_thread *self, struct memshape_section *section);

/* Sums over all threads; exact in a section. */
struct memshape_record_counts memshape_counts(void);

/* Makes a line of the record available again, and closes the calls that the thread leaves open. */
void memshape_thread_ends(struct memshape_thread *self);
/* In a forked child: the other threads are gone, and so is the parent's record. */
void memshape_count_forked(void);
