/* What a skeleton calls in its runner.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The pass emits calls to these functions, and the runner defines them. A skeleton is one module that defines
       void memshape_skeleton(const int64_tshape, const doublesettings);
   Sizes are bytes. A function that fails ends the evaluation; it never returns an error. */

#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names in a skeleton's machine code: the function above, and constructors, each followed by its number. */
#define MEMSHAPE_SK_ENTRY "memshape_skeleton"
#define MEMSHAPE_SK_CONSTRUCTOR "memshape_constructor."

enum memshape_sk_flags {
  MEMSHAPE_SK_UNTOUCHED = 1, /* the skeleton never reads or writes the block, so it needs no memory, only an address */
  MEMSHAPE_SK_ZEROED = 2,    /* calloc: reads must give zero */
  MEMSHAPE_SK_ANNOUNCED = 4  /* every write to the block is reported by memshape_sk_touch, when it happens or before */
};

/* Lengths: the whole block; from the start of the block to the address. */
#define MEMSHAPE_SK_WHOLE UINT64_MAX
#define MEMSHAPE_SK_BELOW (UINT64_MAX - 1)

/* One allocation of `bytes` at `site`; counted and made live. Never null. `alignment` is a power of two, or 0: what
   malloc gives every block. */
#define MEMSHAPE_SK_BLOCK_ALIGNMENT 16
void *memshape_sk_alloc(uint64_t bytes, uint64_t alignment, uint32_t site, uint32_t flags);

/* realloc: live changes by new minus old, total grows by new; counted as a reallocation unless `block` is null. */
void *memshape_sk_realloc(void *block, uint64_t bytes, uint32_t site, uint32_t flags);

/* free and delete; null is allowed. A block of a library called for real goes to the real free. */
void memshape_sk_free(void *block);

/* Addresses of tensors that are never read or written: the first one, and their distance as a power of two. */
#define MEMSHAPE_SK_TENSOR_NAMES UINT64_C(0x7000000000000000)
#define MEMSHAPE_SK_TENSOR_BITS 48
#define MEMSHAPE_SK_NAMED_TENSORS 4096

/* `count` rows of `bytes` each, `stride` bytes apart, may be written from `block` on, which is an address in a block or
   a tensor. `bytes` may be MEMSHAPE_SK_WHOLE or _BELOW. A null `block` announces that every write to a tensor is
   reported by this function. Affects only what is known of resident memory. */
void memshape_sk_touch(void *block, uint64_t bytes, uint64_t stride, uint64_t count);

/* From now on `count` rows of `bytes` each, `stride` bytes apart, from `block` on, may hold data. `bytes` may be
   MEMSHAPE_SK_WHOLE. They are tainted as long as their block lives. */
void memshape_sk_taint(void *block, uint64_t bytes, uint64_t stride, uint64_t count);

/* Ends the evaluation if some of these bytes are tainted: a number that is read there may be data. */
void memshape_sk_untainted(const void *from, uint64_t bytes);

/* A decision gets the proposed answer this often; after that random answers, so that loops end. */
#define MEMSHAPE_SK_PROPOSALS (UINT64_C(1) << 24)

/* The answer, 0 or 1, to branch decision `decision`; `proposed` if the request gives none. */
uint32_t memshape_sk_decide(uint32_t decision, uint32_t proposed);

/* The same at `point`, a number from 1 for each place of the skeleton that asks. `values`: all `count` values, as 64
   bits each, that are still used after this place. `live`: one bit for each of the variables below, in the order in
   which they were declared, 1 if it may still be read; null: all are live. Together with blocks and global variables
   that is the whole state: two runs in the same state go on alike. */
uint32_t memshape_sk_decide_at(uint32_t decision, uint32_t proposed, uint32_t point, const uint64_t *values,
                               uint32_t count, const uint64_t *live);

/* Declares `bytes` of a variable on the operator's stack. Called at the start of each call. */
void memshape_sk_variable(void *variable, uint64_t bytes);

/* The integer of value decision `decision`; `proposed` if the request gives none. */
uint64_t memshape_sk_value(uint32_t decision, uint64_t proposed);

/* The same for a value that is used only as `value` of memshape_sk_within. */
uint64_t memshape_sk_bounded_value(uint32_t decision, uint64_t proposed);

/* The answer to question `number`, a branch or a value, that data answers while an argument is built and that nothing of
   the operator depends on: `proposed`, and after many times 0 or 1, so that loops end. What the argument takes is not
   known then. */
uint64_t memshape_sk_argument_data(uint32_t number, uint64_t proposed);

/* A block's size that data can make no less than `low` and no greater than `high`, which is INT64_MAX if there is no
   such bound. Usually returns `value`; the request may ask for either bound instead. Equal arguments give equal results
   throughout an evaluation. */
uint64_t memshape_sk_within(uint64_t value, uint64_t low, uint64_t high);

enum memshape_sk_extreme_flags {
  MEMSHAPE_SK_BYTES = 0xff,
  MEMSHAPE_SK_SIGNED = 0x100,
  MEMSHAPE_SK_GREATEST = 0x200,
  MEMSHAPE_SK_BLOCK = 0x400 /* the table is a block of the skeleton, and ends with the block */
};

/* The least or greatest of a table's integers. `flags` give their size. They are read from byte `from` of `table` on,
   every `step` bytes, up to byte `to`; indexes in front of the table are skipped. INT64_MIN or INT64_MAX if there are
   none, if there are too many to search, or if `from` is INT64_MIN. */
int64_t memshape_sk_extreme(const void *table, int64_t from, int64_t to, uint64_t step, uint32_t flags);

/* The address of tensor parameter `parameter`: not null, 4096-aligned, reads as zeros, and the same in each call of one
   evaluation. */
void *memshape_sk_tensor(uint32_t parameter);

enum memshape_sk_reason {
  MEMSHAPE_SK_REFUSED = 0,    /* the operator throws, aborts or exits at this shape */
  MEMSHAPE_SK_IMPOSSIBLE = 1, /* the analysis took this place for unreachable: an error of memshape */
  MEMSHAPE_SK_CAUGHT = 2,     /* the operator throws and catches an exception, after which its behaviour is not known */
  MEMSHAPE_SK_WAITS = 3,      /* it waits for something that another thread does later, which cannot be followed */
  MEMSHAPE_SK_LIBRARY = 4,    /* a function called for real throws: whether the operator catches it is not known */
  MEMSHAPE_SK_THROWS = 5,     /* as REFUSED, but from the middle of the work */
  MEMSHAPE_SK_TIRED = 6,      /* it executes more instructions than an evaluation may */
  MEMSHAPE_SK_ASTRAY = 7,     /* the same after decisions were answered: with other answers it may end */
  MEMSHAPE_SK_ABORTS = 8      /* as THROWS, but the program ends: no call follows */
};

/* Instructions that the evaluation may still execute, approximately. The code itself counts them down, one function or
   loop iteration at a time, and calls memshape_sk_tired when none are left, which ends the evaluation. */
extern int64_t memshape_sk_work;
void memshape_sk_tired(void);

/* Ends the evaluation for the reason of an enum memshape_sk_reason. Does not return. */
void memshape_sk_leave(uint32_t reason) __attribute__((noreturn));

/* Ends the evaluation with MEMSHAPE_SK_REFUSED if `bad` is not 0: the operator would throw or abort. */
void memshape_sk_check(uint32_t bad);

/* Some call may end here, by a throw or a jump: what outlives it then holds what it holds now. */
void memshape_sk_may_end(void);

/* What is asked of two places: which comes first, how far they are apart, or, by two questions, whether ranges overlap. */
enum { MEMSHAPE_SK_ORDER = 0, MEMSHAPE_SK_DISTANCE = 1, MEMSHAPE_SK_OVERLAP = 2 };
void memshape_sk_compare(const void *one, const void *other, uint32_t asked);

/* Replaces a call of function `unknown` (index into the list "unknown"), which is not executed. */
void memshape_sk_unknown(uint32_t unknown);

/* Stands before that where the function may free blocks of the operator: what it holds at least is what it held so far. */
void memshape_sk_may_free(void);

/* Stands before a call of function `unknown` that is executed although other data may make it behave differently.
   Returns 0 if the request refuses the call, because it ended an evaluation before: it is then left out. */
uint32_t memshape_sk_attempt(uint32_t unknown);

/* The operator uses here what calls at other shapes may have left, number `recalled` of the list "recalled". */
enum {
  MEMSHAPE_SK_ANSWERED_ALONE = 1, /* matters in the call that is measured, not in those before it */
  MEMSHAPE_SK_IN_BLOCKS = 2       /* it is in blocks: if no earlier call has left any, it is this call's own */
};
void memshape_sk_recall(uint32_t recalled, uint32_t how);

/* Number `wrap` of the list "wraps", from 1, has left its type on the way to the size of the block that is allocated
   next, or to a number that sizes are made of. 0: nothing has. */
void memshape_sk_wraps(uint32_t wrap);

/* Calls `function(object)`, a library function that allocates the same at each call with the same object (executing an
   FFT plan). The first call is executed and counted; later ones are only counted. */
void memshape_sk_repeat(void (*function)(void *), void *object);

/* The same, where objects with the same text from `describe`, which allocates it, count as the same object. */
void memshape_sk_repeat_alike(void (*function)(void *), void *object, char *(*describe)(void *));

/* Around a loop whose iterations are all alike. memshape_sk_turns is called at the end of each iteration, with the trip
   count, or 0 if that is unknown. It returns 1 if the loop is to be left, because the remaining iterations were
   counted. The trip count is used after the first iteration only. */
void memshape_sk_turns_begin(void);
uint32_t memshape_sk_turns(uint64_t iterations);
void memshape_sk_turns_end(void);

/* Register `answer` (0 eax, 1 ebx, 2 ecx, 3 edx) of the processor's answer to cpuid with eax `leaf` and ecx
   `subleaf`. */
uint32_t memshape_sk_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t answer);

/* Requested bytes of a live block (malloc_usable_size). */
uint64_t memshape_sk_block_size(void *block);

/* What is allocated from now on belongs to argument `argument`, a number from 1, which the caller of the operator has
   built; with 0 it is the operator's again. */
void memshape_sk_building(uint32_t argument);

/* Extent number `result` of what the operator returns, or leaves in an argument, is `extent`: a function of shape and
   settings alone. Behind these numbers stand the bytes that are used behind pointers. Stands behind the operator's call. */
void memshape_sk_result(uint32_t result, int64_t extent);

/* --- Threads -------------------------------------------------------------------------------------------------------
   Threads are executed one after the other. Each has its own account, and the accounts are combined. */

/* Threads of a parallel region that asks for `wanted`; 0: it does not ask. */
uint32_t memshape_sk_team_size(uint32_t wanted);

/* From now on, so many regions in each other have several threads each. */
void memshape_sk_levels(uint32_t most);

/* Processors that threads can use, and the default number of threads of a region. */
uint32_t memshape_sk_processors(void);
uint32_t memshape_sk_default_threads(void);

/* Declares bytes of which each thread has its own copy. Called at the start of each call. */
void memshape_sk_thread_local(void *variable, uint64_t bytes);

/* Around a region with this many threads: what the run-time library may request for itself meanwhile. `traces`: how
   often each thread is given work. */
void memshape_sk_region(uint32_t threads, uint64_t traces);
void memshape_sk_region_end(void);

/* Calls body(arguments, thread) for each thread of a team. */
void memshape_sk_team(uint32_t threads, void (*body)(void *arguments, uint32_t thread), void *arguments);

/* The current thread waits until all threads of its team are here. */
void memshape_sk_barrier(void);

/* The current thread's number in its team, the team's size, and the number of enclosing regions with several
   threads. */
uint32_t memshape_sk_thread(void);
uint32_t memshape_sk_threads(void);
uint32_t memshape_sk_level(void);

/* Returns 1 in one thread of the team at each construct. */
uint32_t memshape_sk_single(void);

/* The current thread enters (1) or leaves (0) a region that it runs alone. */
void memshape_sk_serial(uint32_t enters);

/* The current thread's part of a loop that is dealt out while it runs: call begin, then next until it returns 0. After
   each next that returned 1, value(0 ... 3) are the first and the last index, the step, and whether the loop's last
   iteration is among them. */
void memshape_sk_loop(int64_t first, int64_t step, uint64_t trips, uint64_t chunk);
uint32_t memshape_sk_loop_next(void);
int64_t memshape_sk_loop_value(uint32_t which);

/* The C library keeps some stacks of ended threads, with their data, and any thread of the program may have taken them.
   Without one a thread gets a vector for its thread-local memory from the heap: 16 bytes for each of 16 libraries with
   such memory, and for 16 more (glibc 2.36, allocate_dtv). */
#define MEMSHAPE_SK_THREAD_VECTOR_BYTES 512

/* What LLVM's run-time library for OpenMP (versions 19 and 22) requests for a thread that calls it for the first time,
   and for each member of that thread's team; for a region of one thread (the buffer of its dispatcher), and in a nested
   region besides (its control variables); and what each thread requests for a moment where work is shared, in builds
   with assertions (the format of a trace that is not printed). */
#define MEMSHAPE_SK_ROOT_BYTES 32768
#define MEMSHAPE_SK_MEMBER_BYTES 12544
#define MEMSHAPE_SK_SERIAL_BYTES 288
#define MEMSHAPE_SK_NESTED_SERIAL_BYTES 112
#define MEMSHAPE_SK_TRACE_BYTES 512

enum memshape_sk_task {
  MEMSHAPE_SK_THREAD = 0, /* runs until it is joined by its number */
  MEMSHAPE_SK_POOLED = 1  /* one of any number; the team's threads run them, until all are joined at once */
};

/* Between these two calls stands the body of a task that runs beside what follows. The second call returns the number
   to join the task with, never 0. */
void memshape_sk_spawn(uint32_t task);
uint64_t memshape_sk_spawned(uint32_t task);

/* Waits for a thread, or (0) for all pooled tasks that the current thread has spawned. */
void memshape_sk_join(uint64_t thread);

#ifdef __cplusplus
}
#endif
