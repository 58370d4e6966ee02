/* Switching on, forks and ends.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#pragma once

/* Decides, on the first operation after the environment is set up, whether this process is counted. In a forked child,
   opens the child's own record. Returns whether operations are to be counted from now on. */
int memshape_start(void);

struct memshape_section;
/* Starts to count sites and calls as well. Enters a section; 0: the process is not counted, or this is a signal handler
   that interrupted accounting. */
int memshape_count_calls(struct memshape_section *section);

/* Makes memshape_thread_ends run when the calling thread ends. */
void memshape_watch_thread_end(void);

/* Which malloc the program calls instead of the one of this copy of the runtime: that of another copy (linked and
   preloaded at once), which counts; that of an allocator in the executable; that of valgrind. Absent where the core is
   used alone. */
enum memshape_shadow { MEMSHAPE_NOT_SHADOWED, MEMSHAPE_BY_RUNTIME, MEMSHAPE_BY_ALLOCATOR, MEMSHAPE_BY_VALGRIND };
enum memshape_shadow memshape_is_shadowed(void) __attribute__((weak));

/* Finds the allocator below; later operations do not check whether there is one. 0: there is none. Absent where the
   core is used alone. */
int memshape_allocator_find(void) __attribute__((weak));
