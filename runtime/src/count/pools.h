/* Allocators that a program has declared.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   What pools hand out is counted in the space `pool`, by site and by operator call as in every space (spaces.h). Each
   pool also has an item of the record. The functions are those of <memshape/annotate.h>. */

#pragma once

#include <memshape/hooks.h>

void memshape_annotate_pool_create(const void *pool, const char *name);
void memshape_annotate_pool_holds(const void *pool, size_t bytes);
void memshape_annotate_pool_alloc(const void *pool, const void *block, size_t bytes, const struct memshape_site *site);
void memshape_annotate_pool_free(const void *pool, const void *block);
void memshape_annotate_pool_clear(const void *pool);
void memshape_annotate_pool_destroy(const void *pool);

/* In a forked child, once its own record is open: pools go on with what they hold. */
void memshape_pools_forked(void);
