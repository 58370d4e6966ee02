/* Address ranges, cut up and moved.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#define _GNU_SOURCE
#include "instrumented.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

enum { Whole = PROT_READ | PROT_WRITE, Private = MAP_PRIVATE | MAP_ANONYMOUS };

/* In pages of 4 KiB: what is mapped after each line. */
static void ranges(int64_t n) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  ENTER("ranges", n);
  char *a = mmap(NULL, 256 * page, Whole, Private, -1, 0);      /* 256 */
  char *b = mmap(NULL, page + 1, Whole, Private, -1, 0);        /* 258 */
  munmap(a + 10 * page, 3 * page);                              /* 255: a has a hole */
  munmap(a, 20 * page);                                         /* 238: two pieces go */
  b = mremap(b, 2 * page, 768 * page, MREMAP_MAYMOVE);          /* 1004 */
  char *c = mmap(NULL, 4096 * page, PROT_NONE, Private, -1, 0); /* a reservation holds nothing */
  mmap(c, 16 * page, Whole, Private | MAP_FIXED, -1, 0);        /* 1020: the peak */
  mmap(c, 8 * page, PROT_NONE, Private | MAP_FIXED, -1, 0);     /* 1012 */
  mmap(c, 12 * page, Whole, Private | MAP_FIXED, -1, 0);        /* 1020: 4 of them were there */
  munmap(b, 768 * page);                                        /* 252 */
  munmap(c, 4096 * page);                                       /* 236 */
  if (munmap(a + 1, page) == 0)                                 /* fails */
    puts("failed");
  LEAVE;
  munmap(a, 256 * page);
}

int main(void) {
  ranges(1);
  if (sbrk(10000) == (void *)-1 || sbrk(-4000) == (void *)-1)
    return 1;
  return 0;
}
