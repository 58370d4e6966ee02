/* Operator calls in flight.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The innermost call of each thread is a window on the sums: an operation of any thread that raises `live` above the
   window's maximum raises that maximum, too. An outer call takes over the peak of an inner one when that ends, so an
   operation costs the same at any nesting depth.

   What each site held at the peak is copied lazily: a new peak only marks the window stale, and the copy is made just
   before the next change that does not raise `live`. A run of growing allocations costs one copy. */

#pragma once

#include "count/count.h"
#include "count/groups.h"
#include "count/kernel.h"
#include "count/reach.h"

struct memshape_frame {
  struct memshape_frame *outer;           /* the call around this one on the same thread */
  struct memshape_frame *next, *previous; /* among memshape_runtime.windows */
  struct memshape_call *call;             /* on the program's stack; may be dead after a longjmp */
  uintptr_t stack;                        /* the stack pointer at entry */
  struct memshape_group *group;
  uint64_t serial;
  uint64_t started;
  int64_t base; /* live at entry */
  int64_t most; /* the largest live since */
  int64_t may;  /* upper bound of that maximum, where it is above; see credit.h */
  int stale;    /* at_peak is older than most */
  uint32_t depth;
  uint32_t thread; /* the kernel's thread id */
  uint32_t slot;   /* among the record's open calls; MEMSHAPE_RECORD_OPEN_CALLS: not shown there */
  struct memshape_reach reach;
  struct memshape_record_counts before;
  struct memshape_residence residence;
  struct memshape_space_window *spaces; /* counts of spaces other than the heap; null stands for zeros */
  /* Live bytes per site at entry and at the peak; each array holds the first so many sites. */
  int64_t *at_entry, *at_peak;
  uint32_t entry_sites, peak_sites, capacity;
};

/* Brings a stale window's copy of the sites up to date. Under the lock. */
void memshape_window_settle(struct memshape_frame *window);

/* CLOCK_MONOTONIC, ns. */
uint64_t memshape_now(void);

/* hooks.enter and hooks.leave. */
void memshape_enter(struct memshape_call *call);
void memshape_leave(struct memshape_call *call);

/* A window of the whole process, for a phase. In a section; null when there is no memory for it. */
struct memshape_frame *memshape_window_begin(const struct memshape_operator *phase);
void memshape_window_end(struct memshape_frame *frame);
/* In a forked child, after memshape_calls_forked: the phase goes on there. */
void memshape_window_forked(struct memshape_frame *frame);

/* Ends all calls of a thread. In a section. */
void memshape_calls_end(struct memshape_thread *self, enum memshape_record_ending ending);

/* In a forked child: forgets the calls of threads that are not there. */
void memshape_calls_forked(struct memshape_thread *self);
