/* Memory that the program has mapped.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Address ranges that were mapped while allocations are watched, so that it is known what munmap gives back. */

#pragma once

#include <stdint.h>

/* 0: there is no memory to remember it. */
int memshape_mappings_add(uintptr_t from, uintptr_t to);
/* Returns how many bytes of the range were mapped. */
uint64_t memshape_mappings_remove(uintptr_t from, uintptr_t to);
void memshape_mappings_forget(void);
/* In a forked child: another thread may have been at work here. */
void memshape_mappings_forked(void);
