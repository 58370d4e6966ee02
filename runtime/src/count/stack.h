/*===- stack.h - Where a thread's own stack lies --------------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_STACK_H
#define MEMSHAPE_STACK_H

#include "count/count.h"

/* Sets stack_low and stack_high of the calling thread; stack_high is never 0 afterwards. */
void memshape_find_stack(struct memshape_thread *self);

#endif /* MEMSHAPE_STACK_H */
