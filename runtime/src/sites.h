/*===- sites.h - Who allocated, and how much of it lives ------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_SITES_H
#define MEMSHAPE_SITES_H

#include "record.h"

#include <memshape/hooks.h>

/* Site 0 is "unattributed". A block's site is kept in 16 bits; what is beyond counts as site 0. */
enum { MEMSHAPE_MAX_SITES = MEMSHAPE_RECORD_SITES, MEMSHAPE_UNATTRIBUTED = 0 };

/* Requested bytes live per site, counted since the first instrumented module attached. Under the lock. Lies in the
   record, where others read it while the process runs and after it has died. */
extern int64_t *memshape_site_live;
extern uint32_t memshape_site_count;

/* Writes site 0 into the record. Under the lock, once. */
void memshape_sites_start(void);

/* The number of a site of instrumented code. Under the lock. */
uint32_t memshape_site_number(const struct memshape_site *site);

/* The number that stands for what the library or executable around the code address `caller` has in a space. Under the
   lock. */
uint32_t memshape_library_number(const void *caller, uint32_t space);

#endif /* MEMSHAPE_SITES_H */
