/* Numbers for things that live at addresses.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   Sites, operators and loaded objects are identified by their address, but a module that is unloaded leaves its
   addresses to the next one. So each key carries a hash of its contents; with another hash it is another thing. Under
   the lock. */

#pragma once

#include <stddef.h>
#include <stdint.h>

#define MEMSHAPE_NOT_INTERNED UINT32_MAX

struct memshape_interned_key {
  const void *address;
  uint64_t print[3];
};

struct memshape_interned_entry;

struct memshape_interned {
  struct memshape_interned_entry *entries;
  size_t capacity; /* a power of two, or 0 */
  size_t used;
};

/* The number of `key`, or MEMSHAPE_NOT_INTERNED. */
uint32_t memshape_interned_find(const struct memshape_interned *table, const struct memshape_interned_key *key);

/* Gives `key` a number, in the place of an older key at the same address. Without memory the key stays unknown. */
void memshape_interned_set(struct memshape_interned *table, const struct memshape_interned_key *key, uint32_t number);
