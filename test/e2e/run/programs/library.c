/* A library that allocates.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include <stdlib.h>

static void *volatile Kept;

static void *inner(size_t bytes) {
  Kept = malloc(bytes);
  return Kept;
}

void *libraryMakes(size_t bytes) { return inner(bytes); }
