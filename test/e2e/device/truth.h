/* What a test program holds, by its own account.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   The program says each allocation and free a second time, with the sizes that came back (a pitch, say), and prints the
   sums per space: "device peak 4096 total 8192 allocations 2 output 0". */

#pragma once

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum space { DEVICE, PINNED, MANAGED, SPACES };

static struct {
  const char *name;
  long live, peak, total, allocations;
} Truth[SPACES] = {{"device", 0, 0, 0, 0}, {"pinned", 0, 0, 0, 0}, {"managed", 0, 0, 0, 0}};

static inline void came(enum space space, size_t bytes) {
  Truth[space].live += (long)bytes;
  Truth[space].total += (long)bytes;
  ++Truth[space].allocations;
  if (Truth[space].live > Truth[space].peak)
    Truth[space].peak = Truth[space].live;
}

static inline void gone(enum space space, size_t bytes) { Truth[space].live -= (long)bytes; }

static inline void printTruth(void) {
  for (int i = 0; i < SPACES; ++i)
    if (Truth[i].allocations)
      printf("%s peak %ld total %ld allocations %ld output %ld\n", Truth[i].name, Truth[i].peak, Truth[i].total,
             Truth[i].allocations, Truth[i].live);
}

/* Ends the program where a call of the device's library fails. */
#define MUST(call)                                                                                                     \
  do {                                                                                                                 \
    int status_ = (int)(call);                                                                                         \
    if (status_ != 0) {                                                                                                \
      printf("%s: %d\n", #call, status_);                                                                              \
      exit(3);                                                                                                         \
    }                                                                                                                  \
  } while (0)

/* A call that takes memory, and one that gives it back. */
#define TAKES(call, space, bytes)                                                                                      \
  do {                                                                                                                 \
    MUST(call);                                                                                                        \
    came(space, bytes);                                                                                                \
  } while (0)
#define GIVES(call, space, bytes)                                                                                      \
  do {                                                                                                                 \
    MUST(call);                                                                                                        \
    gone(space, bytes);                                                                                                \
  } while (0)
