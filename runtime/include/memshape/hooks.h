/* Between instrumented code and the runtime.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The llvm-pass emits these structures and calls; libmemshape_rt defines memshape_attach. User code includes
   <memshape/operator.h> instead.

   Every instrumented module holds one pointer `const struct memshape_hooks`, null at start. A constructor of the
   module calls memshape_attach (a weak reference) when it exists; the runtime then stores its table there. Without the
   runtime each hook costs one load and one predicted branch:

       if (hooks) hooks->allocation(&site);      // before the call that allocates
       p = malloc(n); */

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MEMSHAPE_HOOKS_ABI 1u

enum memshape_space {
  MEMSHAPE_SPACE_HOST = 0,
  MEMSHAPE_SPACE_DEVICE = 1,
  MEMSHAPE_SPACE_PINNED = 2,
  MEMSHAPE_SPACE_MANAGED = 3,
  MEMSHAPE_SPACE_STACK = 4,
  MEMSHAPE_SPACE_MAPPED = 5, /* mmap, brk */
  MEMSHAPE_SPACE_POOL = 6,   /* what a declared pool hands out */
  MEMSHAPE_SPACES = 7        /* how many there are */
};

/* A place that allocates or frees. Read-only data of the module; the address identifies it while the module is loaded.
 */
struct memshape_site {
  const char *file;     /* as the compiler knows it; "" where no location is known */
  const char *function; /* demangled or plain name of the function that contains the call */
  uint32_t line;        /* 0 where unknown */
  uint32_t column;
  uint32_t space;     /* enum memshape_space */
  uint32_t allocator; /* reserved, 0 */
};

/* One operator. Names are those of the source, in source order. */
struct memshape_operator {
  const char *name;
  const char *file;
  uint32_t line;
  uint32_t shape_count;
  uint32_t setting_count;
  uint32_t kind;                    /* 0; 1 stands for a phase of the program, declared at run time */
  const char *const *shape_names;   /* shape_count strings */
  const char *const *setting_names; /* setting_count strings */
};

/* The value of a shape symbol that an argument does not tell; a setting is not a number then. */
#define MEMSHAPE_UNKNOWN_EXTENT INT64_MIN

/* One call of an operator: lives on the stack of the call, linked by the runtime. The pass reserves its bytes. */
struct memshape_call {
  const struct memshape_operator *op;
  const int64_t *shape;   /* op->shape_count values */
  const double *settings; /* op->setting_count values */
  void *runtime[5];       /* the runtime's own; undefined before enter */
};

/* What one operator call took, for programs that look at themselves while they run. Bytes are requested bytes of the
   heap, from all threads between entry and return. */
struct memshape_call_figures {
  int64_t peak;      /* the most that was live, above what was live at entry */
  int64_t peak_most; /* upper bound of it; above peak where threads met there */
  int64_t output;    /* live at return less live at entry */
  uint64_t total;
  uint64_t allocations;
  uint64_t time; /* ns */
};

struct memshape_hooks {
  uint32_t abi;  /* MEMSHAPE_HOOKS_ABI */
  uint32_t size; /* sizeof(struct memshape_hooks) */
  /* The calling thread is about to allocate at `site`. */
  void (*allocation)(const struct memshape_site *site);
  /* The calling thread is about to free `block` (may be null) at `site`. */
  void (*release)(const struct memshape_site *site, void *block);
  /* Entry of an operator; `call` stays valid until leave or until the stack unwinds past it (longjmp). */
  void (*enter)(struct memshape_call *call);
  /* Return of an operator, or unwinding of an exception through it. */
  void (*leave)(struct memshape_call *call);
};

/* Sets *slot to the runtime's table, or leaves it null when `abi` is not the runtime's or the runtime is switched off.
 */
void memshape_attach(uint32_t abi, const struct memshape_hooks **slot);

/* Whether the bytes from there on may be read: what tells the shape of a call asks before it follows a pointer. */
int memshape_may_read(const void *from, size_t bytes);

#ifdef __cplusplus
}
#endif
