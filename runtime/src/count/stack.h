/* Where a thread's own stack lies.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#pragma once

#include "count/count.h"

/* Sets stack_low and stack_high of the calling thread; stack_high is never 0 afterwards. */
void memshape_find_stack(struct memshape_thread *self);
