/* How far an operator call's stack reaches.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "count/reach.h"
#include "count/callsite.h"
#include "record/recordfile.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

/* The most bytes that are painted (a stack that was used deeper is not measured), and bytes left to the runtime's
   frames. */
enum { MostPainted = 16 << 20, OwnFrames = 512, PagesAtOnce = 16 };

static const uintptr_t Paint = (uintptr_t)0x9e3779b97f4a7c15u;

/* The sanitizers report accesses below the stack pointer, so they are switched off here. */
#define BELOW_THE_STACK __attribute__((noinline, no_sanitize("address", "thread", "undefined")))

struct search {
  uintptr_t above;
  uintptr_t found;
};

/* The frame that contains an address ends where its caller's part of the stack begins. */
static _Unwind_Reason_Code findFrame(struct _Unwind_Context *context, void *argument) {
  struct search *search = argument;
  uintptr_t frame = memshape_unwinder.frame(context);
  if (frame <= search->above)
    return _URC_NO_REASON;
  search->found = frame;
  return _URC_END_OF_STACK;
}

static uintptr_t baseOf(struct memshape_thread *self, const struct memshape_call *call) {
  struct search search = {(uintptr_t)call, 0};
  ++self->bypass;
  if (memshape_unwinder.walk && memshape_unwinder.frame)
    memshape_unwinder.walk(findFrame, &search);
  --self->bypass;
  return search.found > self->stack_low && search.found <= self->stack_high ? search.found
                                                                            : (uintptr_t)call + sizeof *call;
}

static uintptr_t pageBytes(void) {
  static uintptr_t known;
  uintptr_t bytes = __atomic_load_n(&known, __ATOMIC_RELAXED);
  if (!bytes)
    __atomic_store_n(&known, bytes = (uintptr_t)sysconf(_SC_PAGESIZE), __ATOMIC_RELAXED);
  return bytes;
}

/* The lowest page that is resident without a gap below the page at `from`. The part of the main stack that has not
   grown yet is not mapped; there mincore fails. */
static uintptr_t lowestPage(uintptr_t from, uintptr_t low) {
  unsigned char there[PagesAtOnce];
  uintptr_t page = pageBytes(), count = PagesAtOnce;
  while (from - page >= low && count) {
    uintptr_t start = from - low < count * page ? low + (from - low) % page : from - count * page;
    if (mincore((void *)start, from - start, there) != 0) {
      count /= 2;
      continue;
    }
    for (uintptr_t i = (from - start) / page; i-- != 0; from -= page)
      if (!(there[i] & 1))
        return from;
  }
  return from;
}

BELOW_THE_STACK static void paint(uintptr_t low, uintptr_t high) {
  for (volatile uintptr_t *word = (volatile uintptr_t *)low; word < (volatile uintptr_t *)high; ++word)
    *word = Paint;
}

BELOW_THE_STACK static uintptr_t firstOther(uintptr_t low, uintptr_t high, uintptr_t value) {
  const volatile uintptr_t *word = (const volatile uintptr_t *)low;
  while (word < (const volatile uintptr_t *)high && *word == value)
    ++word;
  return (uintptr_t)word;
}

/* The lowest address written since the last painting. */
static uintptr_t lowestWritten(const struct memshape_thread *self) {
  uintptr_t page = lowestPage(self->paint_low, self->stack_low);
  uintptr_t written = firstOther(page, self->paint_low, 0);
  return written < self->paint_low ? written : firstOther(self->paint_low, self->paint_high, Paint);
}

static void lower(struct memshape_reach *reach, uintptr_t address) {
  if (reach && address < reach->lowest)
    reach->lowest = address;
}

__attribute__((noinline)) void memshape_reach_begin(struct memshape_thread *self, const struct memshape_call *call,
                                                    struct memshape_reach *reach, struct memshape_reach *outer) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0), page = pageBytes();
  int saved = errno;
  reach->base = 0;
  if (here < self->stack_low || here > self->stack_high)
    return; /* this stack belongs to a coroutine */
  if (outer)
    lower(outer, lowestWritten(self));
  uintptr_t base = baseOf(self, call);
  uintptr_t high = (here - OwnFrames) & ~(uintptr_t)15, low = lowestPage(high & ~(page - 1), self->stack_low);
  if (high - low <= MostPainted) {
    paint(low, high);
    self->paint_low = low;
    self->paint_high = high;
    reach->base = base;
    reach->lowest = high;
  }
  errno = saved;
}

__attribute__((noinline)) void memshape_reach_end(struct memshape_thread *self, struct memshape_reach *reach,
                                                  struct memshape_reach *outer) {
  int saved = errno;
  if (!reach->base)
    return;
  lower(reach, lowestWritten(self));
  lower(outer, reach->lowest);
  errno = saved;
}

void memshape_reach_record(const struct memshape_reach *reach, const struct memshape_record_call *call, uint64_t group,
                           int is_first, int64_t *most) {
  int64_t bytes = (int64_t)(reach->base - reach->lowest);
  struct memshape_record_space_call *item;
  if (!reach->base || bytes < 0 || (!is_first && bytes < *most) ||
      !(item = memshape_record_append(MEMSHAPE_RECORD_SPACE_CALL, sizeof *item)))
    return;
  item->group = group;
  item->sequence = call->sequence;
  item->space = MEMSHAPE_SPACE_STACK;
  item->later = !is_first;
  item->peak = bytes;
  memshape_record_publish_whole(item);
  if (!is_first)
    *most = bytes + 1;
}
