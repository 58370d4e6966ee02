/* Which instrumented code called a library.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A site inside a library names that library only; the call in the user's code that led there has no hook. So for large
   blocks the stack is walked up to the first code of an attached module. A walk costs microseconds, as much as the
   first touch of a few pages. So small blocks are attributed to the library alone. */

#pragma once

#include "stacks/walked.h"

#include <stddef.h>
#include <stdint.h>
#include <unwind.h>

/* Bytes from which on the stack is walked. */
enum { MEMSHAPE_CALL_SITE_FROM = 65536 };

/* The compiler's functions for walking stacks; null where there are none. */
struct memshape_unwinder {
  _Unwind_Reason_Code (*walk)(_Unwind_Trace_Fn, void *);
  uintptr_t (*ip)(struct _Unwind_Context *);
  uintptr_t (*frame)(struct _Unwind_Context *);
};
extern struct memshape_unwinder memshape_unwinder;

/* Looks the functions up. Called outside sections, before the first module attaches. */
void memshape_unwinder_find(void);
/* Loads the library with these functions. Absent in statically linked programs. */
void memshape_unwinder_load(void) __attribute__((weak));

/* The module around `code` is instrumented. Under the lock. */
void memshape_call_sites_in(const void *code);

/* The innermost return address on the calling thread's stack that lies in such a module; null where there is none. */
const void *memshape_call_site(void);

/* The return addresses of the calling thread from `caller`, that of its allocation, outwards. Where the stack cannot be
   walked, `caller` alone. */
void memshape_call_stack(const void *caller, struct memshape_walk *walk);

/* Writes "module+0xoffset" of the code before a return address to `text`; an empty module is the executable. */
void memshape_call_site_name(const void *code, char *text, size_t room);
