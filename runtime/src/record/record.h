/* Layout of the runtime's record file.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Written by the runtime through a shared mapping, read by libmemshape. The file is
   readable whenever the process dies, even by SIGKILL: items are appended and then published by `used`, and what
   changes later is kept twice, so that one copy is always complete.

       header | live bytes per site | item | item | ...       each item: head, then its members; a multiple of 8 bytes

   The table of live bytes is sparse: entries of sites that do not exist yet are a hole in the file.

   Numbers are little endian. Sizes are bytes, times are nanoseconds. Offsets count from the start of the file. */

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define MEMSHAPE_RECORD_MAGIC "MEMSHRUN"
#define MEMSHAPE_RECORD_VERSION 3u
#define MEMSHAPE_RECORD_THREADS 1016u
#define MEMSHAPE_RECORD_SPACES 16u
#define MEMSHAPE_RECORD_OPEN_CALLS 128u
#define MEMSHAPE_RECORD_SITES 65536u

/* The last state that the process wrote. If a signal kills the process, "running" stays. */
enum memshape_record_state {
  MEMSHAPE_RECORD_RUNNING = 1,
  MEMSHAPE_RECORD_ENDED = 2,   /* return from main, or exit */
  MEMSHAPE_RECORD_LEFT = 3,    /* _exit or quick_exit: nothing of the program ran afterwards */
  MEMSHAPE_RECORD_ABORTED = 4, /* abort */
  MEMSHAPE_RECORD_REPLACED = 5 /* exec: another program goes on in this process */
};

enum memshape_record_mode {
  MEMSHAPE_RECORD_TOTALS = 1,
  MEMSHAPE_RECORD_CALLS = 2,
  /* In these modes nothing is counted, and no ending is written. */
  MEMSHAPE_RECORD_OTHER_ALLOCATOR = 3, /* the executable brings a malloc of its own */
  MEMSHAPE_RECORD_UNDER_VALGRIND = 4,  /* valgrind's malloc replaces all others */
  MEMSHAPE_RECORD_UNANNOUNCED = 5      /* a child made by the system call clone or by _Fork, of which no fork handler
                                          was told */
};

/* These only grow. A realloc adds its new size to the total and does not count as an allocation. */
struct memshape_record_counts {
  uint64_t total;
  uint64_t allocations;
  uint64_t reallocations;
  uint64_t frees;
};

/* One cache line per thread, so that counting threads do not disturb each other. When a thread ends, a later one takes
   over its line. Line 0 belongs to the holder of the runtime's lock. */
struct memshape_record_thread {
  struct memshape_record_counts counts;
  uint64_t freed; /* requested bytes that were freed: live is the sum over all lines of total - freed */
  /* Used by the runtime only; see credit.h. */
  int64_t credit;
  int64_t most_credit;
  uint32_t busy;
  uint32_t reserved;
};

/* Counts of one memory space, indexed by enum memshape_space. The host heap's counts are in the header instead. */
struct memshape_record_space {
  int64_t live;
  int64_t peak;
  uint64_t total;
  uint64_t allocations;
  uint64_t frees;
  uint64_t reallocations;
  int64_t inherited; /* live at the fork, in a child; all other figures but live and peak start at 0 there */
  uint64_t reserved;
};

/* One call in flight. It is written without a lock that readers could take, so they may see a mix of two calls. group
   is 0 while the other members change. */
struct memshape_record_open {
  uint64_t group;    /* offset of its item; 0: this slot is free */
  uint64_t sequence; /* order of entry in this process, from 1 */
  uint64_t started;  /* since the start of the record */
  int64_t base;      /* live at entry */
  uint32_t thread;   /* the kernel's thread id */
  uint32_t depth;    /* calls and phases around this one on its thread */
  uint64_t reserved[3];
};

struct memshape_record_header {
  char magic[8];
  uint32_t version;
  uint32_t items;    /* offset of the first item */
  uint64_t checksum; /* of the members from pid up to, not including, used */
  uint64_t pid;
  uint64_t parent;
  uint64_t started;                        /* Unix time */
  int64_t inherited_live;                  /* live bytes taken over from the parent at a fork, else 0 */
  struct memshape_record_counts inherited; /* the parent's counts at the fork: line 0 starts from them */
  uint64_t used;            /* bytes of the file that hold published items; from here on members change */
  uint64_t state;           /* enum memshape_record_state */
  uint64_t rss_peak;        /* VmHWM, written at exit; 0 before */
  uint64_t lost_operations; /* allocations or frees that could not be counted */
  uint64_t lost_calls;      /* operator calls that could not be recorded */
  uint64_t unlisted_calls;  /* calls that are in their group but not listed one by one */
  uint64_t mode;            /* enum memshape_record_mode */
  uint64_t site_live;       /* offset of the table: one int64 of live bytes per site, since the first module attached */
  uint64_t reserved0[5];
  /* Each on its own cache line. */
  int64_t live; /* requested bytes live, as of the last time that all threads were stopped; see
                   memshape_record_thread */
  uint64_t reserved1[7];
  int64_t peak;      /* the largest value that live is known to have reached */
  int64_t peak_most; /* an upper bound of live's maximum, where it is above peak */
  /* While threads count in their own lines, live <= limit. A limit above peak was raised by threads that met at the
     peak; then live has been at least limit - slack. */
  int64_t limit;
  int64_t slack;
  uint64_t reserved2[4];
  struct memshape_record_thread threads[MEMSHAPE_RECORD_THREADS];
  struct memshape_record_space spaces[MEMSHAPE_RECORD_SPACES];
  struct memshape_record_open open[MEMSHAPE_RECORD_OPEN_CALLS];
  uint64_t reserved3[408];
};

/* Offsets that a runtime of this version uses. Readers take them from the header. */
enum {
  MEMSHAPE_RECORD_SITE_TABLE = sizeof(struct memshape_record_header),
  MEMSHAPE_RECORD_ITEMS = MEMSHAPE_RECORD_SITE_TABLE + MEMSHAPE_RECORD_SITES * 8
};
#ifndef __cplusplus
_Static_assert(offsetof(struct memshape_record_header, live) == 192, "live starts a cache line");
_Static_assert(offsetof(struct memshape_record_header, threads) == 320, "so do the threads' counts");
_Static_assert(sizeof(struct memshape_record_header) == 19 * 4096, "the table of sites starts a page");
#endif

enum memshape_record_kind {
  MEMSHAPE_RECORD_PROGRAM = 1,
  MEMSHAPE_RECORD_SITE = 2,
  MEMSHAPE_RECORD_OPERATOR = 3,
  MEMSHAPE_RECORD_GROUP = 4,
  MEMSHAPE_RECORD_LIST = 5,
  MEMSHAPE_RECORD_CALL = 6,
  MEMSHAPE_RECORD_SITE_CHANGES = 7,
  MEMSHAPE_RECORD_POOL = 8,
  MEMSHAPE_RECORD_MODULE = 9,
  MEMSHAPE_RECORD_STACK = 10,
  MEMSHAPE_RECORD_STACKS = 11,
  MEMSHAPE_RECORD_SPACE_CALL = 17,
  MEMSHAPE_RECORD_KERNEL = 18,
  MEMSHAPE_RECORD_RESIDENCE = 19,
  MEMSHAPE_RECORD_HOLDERS = 20
};

struct memshape_record_head {
  uint32_t kind;
  uint32_t bytes;    /* of the whole item, a multiple of 8 */
  uint64_t checksum; /* of the members after the head. A group's covers its key only, a pool's its name only. 0:
                        everything changes */
};

/* The path of the executable follows, ending in a zero byte. */
struct memshape_record_program {
  struct memshape_record_head head;
};

enum memshape_record_origin {
  MEMSHAPE_RECORD_UNATTRIBUTED = 0, /* allocated before the first instrumented module was there, or caller unknown */
  MEMSHAPE_RECORD_SOURCE = 1,       /* a site of instrumented code */
  MEMSHAPE_RECORD_LIBRARY = 2       /* code that is not instrumented; file names the library or executable, function, if
                                  not empty, the instrumented code that called it: "module+0xoffset" */
};

/* Sites are numbered in the order of their items, from 0. Two strings follow: file and function. */
struct memshape_record_site {
  struct memshape_record_head head;
  uint32_t line;
  uint32_t column;
  uint32_t space;
  uint32_t origin; /* enum memshape_record_origin */
};

/* Executables and libraries that frames lie in are numbered in the order of their items, from 1. The path follows, ending
   in a zero byte; "" for the executable. */
struct memshape_record_module {
  struct memshape_record_head head;
};

struct memshape_record_frame {
  uint64_t module; /* 0 where it is not known */
  uint64_t offset; /* of the call, from where the module is loaded; the address itself where there is no module */
};

enum { MEMSHAPE_MOST_STACK_FRAMES = 128 };

/* The calls that lead to a site: `count` frames follow, the innermost first; MEMSHAPE_MOST_STACK_FRAMES where there may
   be more. */
struct memshape_record_stack {
  struct memshape_record_head head;
  uint32_t site;
  uint32_t count;
};

/* What a site with a stack holds and has requested. at_peak and blocks_at_peak are those of the process's peak where
   `epoch` is that of the table, live and blocks otherwise. */
struct memshape_record_stack_figures {
  int64_t live;
  int64_t blocks;
  int64_t at_peak;
  int64_t blocks_at_peak;
  uint64_t total;
  uint64_t allocations;
  uint64_t reallocations;
  uint64_t epoch;
};

/* With MEMSHAPE_RUNTIME_STACKS. It changes in place, so its checksum is 0. */
struct memshape_record_stacks {
  struct memshape_record_head head;
  uint64_t epoch; /* counts the maxima of the process */
  struct memshape_record_stack_figures figures[MEMSHAPE_RECORD_SITES];
};

/* What one thread added to the table of live bytes per site: `count` int64 follow, for the sites from 0. All such items
   and the table add up. Changes while the process runs; has no checksum. */
struct memshape_record_site_changes {
  struct memshape_record_head head;
  uint32_t thread; /* index of its line */
  uint32_t count;
};

enum memshape_record_operator_kind { MEMSHAPE_RECORD_FUNCTION = 0, MEMSHAPE_RECORD_PHASE = 1 };

/* Operators, and phases that the program has declared, are numbered in the order of their items, from 0. Strings
   follow: name, file, the names of the shape symbols, the names of the settings, the path of the library that has it or
   "". */
struct memshape_record_operator {
  struct memshape_record_head head;
  uint32_t line;
  uint32_t shape_count;
  uint32_t setting_count;
  uint32_t kind; /* enum memshape_record_operator_kind */
};

/* One entry of a list: bytes that a site held at the peak, minus what it held at the call's entry. Negative where the
   call freed blocks of its caller. The entries of a list add up to the peak. */
struct memshape_record_entry {
  uint32_t site;
  uint32_t reserved;
  int64_t bytes;
};

struct memshape_record_list {
  struct memshape_record_head head;
};

struct memshape_record_figures {
  uint64_t calls;
  int64_t peak;       /* above entry; the largest of these calls */
  int64_t peak_least; /* the smallest of these calls */
  int64_t peak_most;  /* upper bound of all these calls; above peak where threads met at a peak */
  uint64_t total;     /* total, counts, output and list are those of the call with the largest peak */
  uint64_t allocations;
  uint64_t reallocations;
  int64_t output;      /* live at return less live at entry */
  uint64_t time;       /* sum over these calls */
  uint64_t list;       /* offset of the first entry; 0 when list_count is 0 */
  uint64_t list_count; /* entries */
};

struct memshape_record_slot {
  uint64_t checksum;   /* of the members below and of both lists' entries */
  uint64_t jumped;     /* calls that ended by longjmp or with their thread */
  uint64_t unfinished; /* calls in flight when the program exited */
  struct memshape_record_figures first;
  struct memshape_record_figures later; /* second and later calls of this group */
};

/* All calls of one operator at one shape and one choice of settings. shape_count int64 and setting_count double follow.
 */
struct memshape_record_group {
  struct memshape_record_head head;
  uint32_t op;
  uint32_t shape_count;
  uint32_t setting_count;
  uint32_t reserved;
  uint64_t active; /* 0 or 1: the complete slot; the other one may be half-written */
  struct memshape_record_slot slots[2];
};

enum memshape_record_ending {
  MEMSHAPE_RECORD_RETURNED = 0,
  MEMSHAPE_RECORD_JUMPED = 1,
  MEMSHAPE_RECORD_UNFINISHED = 2
};

/* One call, in the order in which calls end. */
struct memshape_record_call {
  struct memshape_record_head head;
  uint64_t group;    /* offset of its item */
  uint64_t sequence; /* order of entry in this process, from 1 */
  uint64_t started;  /* since the start of the record */
  uint64_t time;
  int64_t peak;
  int64_t peak_most; /* the call held no more than this */
  uint64_t total;
  uint64_t allocations;
  uint64_t reallocations;
  int64_t output;
  int64_t base;    /* live at entry */
  uint32_t thread; /* the kernel's thread id */
  uint32_t depth;  /* operator calls around this one on its thread */
  uint32_t ending; /* enum memshape_record_ending */
  uint32_t reserved;
};

#define MEMSHAPE_RECORD_MOST_HOLDERS 4096u

/* What one site has live in one space other than the heap. */
struct memshape_record_holder {
  uint32_t site;
  uint32_t space;
  int64_t live;
};

/* The table of holders, made with the first change outside the heap. It changes in place, so its checksum is 0. */
struct memshape_record_holders {
  struct memshape_record_head head;
  uint64_t count; /* places in use */
  struct memshape_record_holder holders[MEMSHAPE_RECORD_MOST_HOLDERS];
};

/* What one call held in one space, in the form of struct memshape_record_figures. Written for the first call of each
   group, and for later ones that held more than all before. Entries follow up to the end of the item. */
struct memshape_record_space_call {
  struct memshape_record_head head;
  uint64_t group;    /* offset of its item */
  uint64_t sequence; /* of the call */
  uint32_t space;
  uint32_t later; /* 0: the group's first call */
  int64_t peak;
  uint64_t total;
  uint64_t allocations;
  uint64_t reallocations;
  int64_t output;
};

struct memshape_record_pool_figures {
  int64_t live; /* bytes handed out now */
  int64_t peak;
  uint64_t held; /* bytes that the pool has from elsewhere */
  uint64_t held_peak;
  uint64_t total;
  uint64_t allocations;
  uint64_t frees;
};

/* All pools of one name that the program declared. The figures change; the name follows, ending in a zero byte. */
struct memshape_record_pool {
  struct memshape_record_head head;
  struct memshape_record_pool_figures figures;
};

enum memshape_record_moment { MEMSHAPE_RECORD_AT_PEAK = 0, MEMSHAPE_RECORD_AT_END = 1 };

/* The process as the kernel and the allocator saw it, just before the heap fell from a peak, or at the end. The last
   such item is that of the highest peak. Bytes. resident is the sum of the six kinds of mappings. */
struct memshape_record_kernel {
  struct memshape_record_head head;
  uint64_t moment; /* enum memshape_record_moment */
  uint64_t time;   /* since the start of the record */
  int64_t live;    /* requested bytes of the heap */
  uint64_t resident;
  uint64_t anonymous; /* the heap, thread stacks, what the program mapped without a file */
  uint64_t files;     /* code, data and zeroed data of the program and its libraries; mapped files */
  uint64_t stack;     /* the main thread's */
  uint64_t own;       /* this runtime's */
  uint64_t other;
  uint64_t proportional; /* Pss: shared pages counted by their share */
  uint64_t exclusive;    /* Private_* */
  uint64_t shared;       /* Shared_* */
  uint64_t swapped;
  uint64_t huge;             /* in transparent huge pages */
  uint64_t allocator_system; /* what glibc's allocator has from the kernel; 0 where there is none */
  uint64_t allocator_used;   /* handed out, with headers and rounding */
  uint64_t allocator_free;
  uint64_t allocator_top; /* free at the end of the heap: could be given back */
  uint64_t minor_faults;
  uint64_t major_faults;
};

/* Resident bytes around one call. Written for the first call of each group, and for later ones that raised the peak. */
struct memshape_record_residence {
  struct memshape_record_head head;
  uint64_t group; /* offset of its item */
  uint64_t sequence;
  uint32_t later;    /* 0: the group's first call */
  uint32_t is_exact; /* 0: the kernel's peak could not be reset, so `peak` may date from before the call */
  uint64_t entry;
  uint64_t peak;
  uint64_t exit;
  uint64_t minor_faults;
  uint64_t major_faults;
};

#define MEMSHAPE_RECORD_CHECKSUM_START 0xcbf29ce484222325u

/* FNV-1a over 64-bit words; `bytes` is a multiple of 8. */
static inline uint64_t memshape_record_checksum(uint64_t sum, const void *data, size_t bytes) {
  const char *at = (const char *)data;
  for (size_t i = 0; i + 8 <= bytes; i += 8) {
    uint64_t word;
    memcpy(&word, at + i, 8);
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 29; /* multiplication carries upwards only, so high bits are mixed down */
  }
  return sum;
}
