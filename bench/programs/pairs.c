// Allocate and free, nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled twice, plain and with the plugin, under the name PAIRS.

#include <stdlib.h>

/* `count` pairs of `bytes` bytes each; 64 bytes stay in the C library's thread cache, so that a pair is as cheap as it
 * gets. */
void PAIRS(long count, size_t bytes) {
  for (long i = 0; i < count; ++i) {
    void *block = malloc(bytes);
    __asm__ volatile("" : "+r"(block) : : "memory");
    free(block);
  }
}
