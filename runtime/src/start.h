/*===- start.h - Switching on, forks and ends -----------------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_START_H
#define MEMSHAPE_START_H

/* Decides, on the first operation that finds an environment, whether this process is counted; in a forked child, opens
   the child's own record. Returns whether operations are to be counted from now on. */
int memshape_start(void);

/* Has memshape_thread_ends called when the calling thread ends. */
void memshape_watch_thread_end(void);

#endif /* MEMSHAPE_START_H */
