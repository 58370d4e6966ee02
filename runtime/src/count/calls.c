/* Operator calls in flight.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/calls.h"
#include "count/contention.h"
#include "count/sites.h"
#include "count/spaces.h"
#include "count/stack.h"
#include "count/start.h"
#include "tables/pool.h"

#include <time.h>
#include <unistd.h>

/* What the runtime keeps in memshape_call.runtime while the call is in flight. */
enum { CallFrame = 0, CallSerial = 1 };

static uint64_t LastSerial;
static struct memshape_frame *SpareFrames;
static uint32_t SlotsGiven; /* a frame keeps its slot for as long as the process lives */

uint64_t memshape_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Makes room for `sites` sites in both copies. */
static int makeRoom(struct memshape_frame *frame, uint32_t sites) {
  return memshape_pool_room(&frame->capacity, sites, &frame->at_entry, &frame->at_peak);
}

void memshape_window_settle(struct memshape_frame *window) {
  window->stale = 0;
  if (!makeRoom(window, memshape_site_count))
    return; /* the list keeps the last peak that there was memory for */
  window->peak_sites = memshape_site_count;
  memshape_sites_sum(window->at_peak, memshape_site_count);
}

static void addWindow(struct memshape_frame *frame) {
  frame->previous = NULL;
  frame->next = memshape_runtime.windows;
  if (frame->next)
    frame->next->previous = frame;
  memshape_runtime.windows = frame;
}

static void removeWindow(struct memshape_frame *frame) {
  if (frame->previous)
    frame->previous->next = frame->next;
  else
    memshape_runtime.windows = frame->next;
  if (frame->next)
    frame->next->previous = frame->previous;
}

static struct memshape_frame *newFrame(void) {
  struct memshape_frame *frame = SpareFrames;
  if (frame)
    SpareFrames = frame->outer;
  else if ((frame = memshape_pool_get(sizeof *frame))) {
    frame->capacity = 0;
    frame->slot = SlotsGiven < MEMSHAPE_RECORD_OPEN_CALLS ? SlotsGiven++ : MEMSHAPE_RECORD_OPEN_CALLS;
  }
  return frame;
}

/* Shows a call that begins (`group` is the offset of its item) or ends (0) to whoever reads the record. */
static void showOpen(const struct memshape_frame *frame, uint64_t group) {
  if (frame->slot == MEMSHAPE_RECORD_OPEN_CALLS)
    return;
  struct memshape_record_open *slot = &memshape_runtime.header->open[frame->slot];
  __atomic_store_n(&slot->group, 0, __ATOMIC_RELEASE);
  if (!group)
    return;
  __atomic_thread_fence(__ATOMIC_RELEASE);
  slot->sequence = frame->serial;
  slot->started = frame->started - memshape_runtime.started;
  slot->base = frame->base;
  slot->thread = frame->thread;
  slot->depth = frame->depth;
  __atomic_store_n(&slot->group, group, __ATOMIC_RELEASE);
}

/* The outer call saw everything that the inner one saw, so it takes over a larger peak with its sites. */
static void passPeakOutwards(struct memshape_frame *outer, struct memshape_frame *inner) {
  if (inner->may > outer->may)
    outer->may = inner->may;
  if (inner->most <= outer->most)
    return;
  outer->most = inner->most;
  outer->stale = 0;
  if (!makeRoom(outer, inner->peak_sites))
    return;
  outer->peak_sites = inner->peak_sites;
  memcpy(outer->at_peak, inner->at_peak, inner->peak_sites * sizeof *outer->at_peak);
}

/* Writes what a window saw into the record and into `last`, and removes it from the list. */
static void record(struct memshape_frame *frame, enum memshape_record_ending ending, struct memshape_last *last) {
  struct memshape_record_counts now = memshape_counts();
  if (frame->stale)
    memshape_window_settle(frame);
  struct memshape_outcome outcome = {
      .figures = {.sequence = frame->serial,
                  .started = frame->started - memshape_runtime.started,
                  .time = memshape_now() - frame->started,
                  .peak = frame->most - frame->base,
                  .peak_most = (frame->may > frame->most ? frame->may : frame->most) - frame->base,
                  .total = now.total - frame->before.total,
                  .allocations = now.allocations - frame->before.allocations,
                  .reallocations = now.reallocations - frame->before.reallocations,
                  .output = memshape_runtime.header->live - frame->base,
                  .base = frame->base,
                  .thread = frame->thread,
                  .depth = frame->depth,
                  .ending = ending},
      .at_peak = frame->at_peak,
      .at_entry = frame->at_entry,
      .peak_sites = frame->peak_sites,
      .entry_sites = frame->entry_sites,
      .spaces = frame->spaces,
      .residence = &frame->residence,
      .reach = &frame->reach,
  };
  memshape_residence_leave(&frame->residence);
  showOpen(frame, 0);
  memshape_group_add(frame->group, &outcome);
  removeWindow(frame);
  last->known = 1;
  last->figures = (struct memshape_call_figures){.peak = outcome.figures.peak,
                                                 .peak_most = outcome.figures.peak_most,
                                                 .output = outcome.figures.output,
                                                 .total = outcome.figures.total,
                                                 .allocations = outcome.figures.allocations,
                                                 .time = outcome.figures.time};
}

static void giveFrame(struct memshape_frame *frame) {
  frame->outer = SpareFrames;
  SpareFrames = frame;
}

/* Ends the thread's innermost call. */
static void endTop(struct memshape_thread *self, enum memshape_record_ending ending) {
  struct memshape_frame *frame = self->top;
  record(frame, ending, &self->last_call);
  self->top = frame->outer;
  if (self->top) {
    passPeakOutwards(self->top, frame);
    memshape_residence_teach(&self->top->residence, &frame->residence);
    addWindow(self->top);
  }
  memshape_spaces_leave(frame->spaces, self->top ? &self->top->spaces : NULL);
  giveFrame(frame);
}

/* Whether a call that has not left is dead because of longjmp, seen from a newer call on the same thread. Only certain
   signs count, because both calls may be inlined into one function with their structures in any order. The signs: the
   newer call's structure is at the same address; the stack has shrunk below the older call's entry; the older one's
   bytes were overwritten. Off the thread's own stack (coroutines, signal stacks) only the first sign counts. A dead
   call without a sign ends when an outer one ends. */
static int isDead(const struct memshape_thread *self, const struct memshape_frame *frame,
                  const struct memshape_call *newer, uintptr_t stack) {
  uintptr_t low = self->stack_low, high = self->stack_high, old = (uintptr_t)frame->call;
  if (frame->call == newer)
    return 1;
  if (stack < low || stack >= high || frame->stack < low || frame->stack >= high)
    return 0;
  if (stack > frame->stack)
    return 1;
  return old >= low && old < high &&
         (frame->call->runtime[CallFrame] != frame || (uintptr_t)frame->call->runtime[CallSerial] != frame->serial);
}

/* A new window; null when there is no memory for one. */
static struct memshape_frame *openWindow(const struct memshape_call *call) {
  struct memshape_group *group = memshape_group_of(call);
  struct memshape_frame *frame = group ? newFrame() : NULL;
  memshape_contention_forget(); /* contention before this call must not decide how this call is counted */
  if (!frame) {
    ++memshape_runtime.header->lost_calls;
    return NULL;
  }
  frame->entry_sites = frame->peak_sites = 0;
  if (makeRoom(frame, memshape_site_count)) {
    frame->entry_sites = frame->peak_sites = memshape_site_count;
    memshape_sites_sum(frame->at_entry, memshape_site_count);
    memcpy(frame->at_peak, frame->at_entry, memshape_site_count * sizeof *frame->at_peak);
  }
  frame->spaces = memshape_spaces_enter();
  frame->group = group;
  frame->call = NULL;
  frame->outer = NULL;
  frame->stack = 0;
  frame->depth = 0;
  frame->reach.base = 0;
  frame->serial = ++LastSerial;
  frame->base = frame->most = frame->may = memshape_runtime.header->live;
  frame->stale = 0;
  frame->before = memshape_counts();
  frame->thread = (uint32_t)gettid();
  return frame;
}

/* The last step of a begin, so that the runtime's own time is not measured. */
static void startClock(struct memshape_frame *frame) {
  memshape_residence_enter(&frame->residence);
  frame->started = memshape_now();
  showOpen(frame, memshape_group_offset(frame->group));
}

static void beginCall(struct memshape_thread *self, struct memshape_call *call, uintptr_t stack) {
  while (self->top && isDead(self, self->top, call, stack))
    endTop(self, MEMSHAPE_RECORD_JUMPED);
  struct memshape_frame *frame = openWindow(call);
  call->runtime[CallFrame] = frame;
  if (!frame)
    return;
  frame->call = call;
  frame->stack = stack;
  frame->outer = self->top;
  frame->depth = self->top ? self->top->depth + 1 : 0;
  if (self->top) {
    if (self->top->stale)
      memshape_window_settle(self->top);
    memshape_spaces_settle(self->top->spaces);
    removeWindow(self->top);
  }
  addWindow(frame);
  self->top = frame;
  call->runtime[CallSerial] = (void *)(uintptr_t)frame->serial;
  startClock(frame);
}

struct memshape_frame *memshape_window_begin(const struct memshape_operator *phase) {
  const struct memshape_call call = {.op = phase};
  struct memshape_frame *frame = openWindow(&call);
  if (frame) {
    addWindow(frame);
    startClock(frame);
  }
  return frame;
}

void memshape_window_end(struct memshape_frame *frame) {
  record(frame, MEMSHAPE_RECORD_RETURNED, &memshape_self.last_phase);
  memshape_spaces_leave(frame->spaces, NULL);
  giveFrame(frame);
}

void memshape_window_forked(struct memshape_frame *frame) {
  memshape_space_window_forked(frame->spaces);
  addWindow(frame);
}

/* The reach of the innermost measured call from `frame` outwards. */
static struct memshape_reach *reachAround(struct memshape_frame *frame) {
  while (frame && !frame->reach.base)
    frame = frame->outer;
  return frame ? &frame->reach : NULL;
}

void memshape_enter(struct memshape_call *call) {
  struct memshape_thread *self = &memshape_self;
  struct memshape_section section;
  self->pending = NULL;
  if (!memshape_counting() && !memshape_start()) {
    call->runtime[CallFrame] = NULL;
    return;
  }
  if (!self->stack_high) {
    memshape_find_stack(self);
    memshape_watch_thread_end();
  }
  if (!memshape_section_enter(self, &section)) { /* a signal handler amid accounting */
    call->runtime[CallFrame] = NULL;
    __atomic_fetch_add(&memshape_runtime.header->lost_calls, 1, __ATOMIC_RELAXED);
    return;
  }
  beginCall(self, call, (uintptr_t)__builtin_frame_address(0));
  struct memshape_frame *frame = call->runtime[CallFrame];
  int measuresStack = frame && memshape_group_measures_stack(frame->group);
  memshape_section_leave(self, &section);
  if (measuresStack) {
    memshape_reach_begin(self, call, &frame->reach, reachAround(frame->outer));
    frame->started = memshape_now();
  }
}

void memshape_leave(struct memshape_call *call) {
  struct memshape_thread *self = &memshape_self;
  struct memshape_section section;
  struct memshape_frame *frame = self->top;
  self->pending = NULL;
  while (frame && (frame != call->runtime[CallFrame] || frame->call != call ||
                   frame->serial != (uintptr_t)call->runtime[CallSerial]))
    frame = frame->outer;
  if (!frame || (!memshape_counting() && !memshape_start()))
    return;
  memshape_reach_end(self, &frame->reach, reachAround(frame->outer));
  if (!memshape_section_enter(self, &section)) {
    __atomic_fetch_add(&memshape_runtime.header->lost_calls, 1, __ATOMIC_RELAXED);
    return;
  }
  while (self->top != frame)
    endTop(self, MEMSHAPE_RECORD_JUMPED);
  endTop(self, MEMSHAPE_RECORD_RETURNED);
  memshape_section_leave(self, &section);
}

static int recall(const struct memshape_last *last, struct memshape_call_figures *figures) {
  if (last->known)
    *figures = last->figures;
  return last->known;
}

__attribute__((visibility("default"))) int memshape_annotate_last_call(struct memshape_call_figures *figures) {
  return recall(&memshape_self.last_call, figures);
}

__attribute__((visibility("default"))) int memshape_annotate_last_phase(struct memshape_call_figures *figures) {
  return recall(&memshape_self.last_phase, figures);
}

void memshape_calls_end(struct memshape_thread *self, enum memshape_record_ending ending) {
  while (self->top)
    endTop(self, ending);
}

void memshape_calls_forked(struct memshape_thread *self) {
  memshape_runtime.windows = NULL;
  if (self->top)
    addWindow(self->top);
}
