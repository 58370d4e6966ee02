/* Memory that does not come from malloc.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The heap is counted in count.c, at a cost of nanoseconds. Every other memory space (enum memshape_space) is used far
   less often, by calls that take microseconds. So each change here takes the lock, and the figures are exact:

       space ── live, peak, total, counts of the process       in the record, see struct memshape_record_space
         └── holder: one site that holds memory of this space  live bytes
       operator call ── window: live at entry and the largest since, per space; what each holder held then

   As for the heap, what the holders held at a peak is copied lazily: before the first change that does not raise it. */

#pragma once

#include "count/count.h"
#include "tables/table.h"

/* How a block is identified. The same number can name a block in each family. */
enum memshape_family { MEMSHAPE_BY_ADDRESS = 0, MEMSHAPE_BY_ARRAY = 1, MEMSHAPE_BY_HANDLE = 2 };

struct memshape_space_block {
  struct memshape_entry entry;
  uint64_t name;
  uint64_t bytes;
  uint64_t owner;  /* the block is freed at the latest when this ends; 0 for nothing */
  uint32_t family; /* enum memshape_family */
  uint32_t holder;
};

/* The site of the calling thread's next allocation outside the heap. Set by instrumented code, cleared by
   memshape_space_put. */
extern _Thread_local const struct memshape_site *memshape_space_pending;

/* How many calls of a device's library the calling thread is in. Mappings that these make are not the program's. */
extern _Thread_local int memshape_device_depth;

/* Outside a section. A block of `bytes` came to `space`; `caller` is the return address of the call that made it. */
void memshape_space_put(uint32_t space, uint32_t family, uint64_t name, uint64_t bytes, const void *caller);
void memshape_space_put_owned(uint32_t space, uint32_t family, uint64_t name, uint64_t bytes, uint64_t owner,
                              const void *caller);
/* An owner has ended, and all its blocks were freed with it. */
void memshape_space_end_owner(uint64_t owner);
/* A block is about to be freed. 0 when it is not known; else it is counted as freed and copied to `taken`. */
int memshape_space_take(uint32_t family, uint64_t name, struct memshape_space_block *taken);
/* A block of unknown size was allocated: the record then says that figures are incomplete. */
void memshape_space_lost(void);
/* The free has failed: the block is counted again. */
void memshape_space_untake(const struct memshape_space_block *taken);

/* In a section, for spaces that identify their blocks by other means. The holder of what `source` (may be null), or
   else the library around `caller`, allocates in `space`; then a change of what it holds. */
uint32_t memshape_space_holder(uint32_t space, const struct memshape_site *source, const void *caller);
void memshape_space_change(uint32_t holder, enum memshape_change_kind kind, uint64_t added, uint64_t removed);

struct memshape_space_window;

/* In a section, with an operator call's begin and end. A call that began before any space was in use has no window:
   null stands for zeros. */
struct memshape_space_window *memshape_spaces_enter(void);
/* Brings the copies up to date, before an inner call takes the window's place. */
void memshape_spaces_settle(struct memshape_space_window *window);
/* Gives what `inner` saw to the call around it, and frees `inner`. */
void memshape_spaces_leave(struct memshape_space_window *inner, struct memshape_space_window **outer);
/* Records what the call held in each space, if it is its group's first call or raises the `peaks` of the group's later
   ones. */
void memshape_spaces_record(struct memshape_space_window *window, const struct memshape_record_call *call,
                            uint64_t group, int is_first, int64_t peaks[MEMSHAPE_SPACES]);

/* Around fork: the child goes on from a copy of the figures. The second one once its own record is open. */
void memshape_spaces_before_fork(void);
void memshape_spaces_forked(void);
/* The same for the window of a phase, which belongs to no thread. */
void memshape_space_window_forked(struct memshape_space_window *window);
