/* Every function of the malloc family once.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#define _GNU_SOURCE
#include "instrumented.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *volatile Keep; /* the compiler must not see that blocks are unused */

static void *kept(void *block) {
  Keep = block;
  return Keep;
}

/* live, peak and total after each line; P is a page */
static int family(int64_t n) {
  int failed = 0;
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char word[101];
  memset(word, 'x', 100);
  word[100] = 0;
  ENTER("family", n);
  SITE;
  char *a = kept(malloc(100));    /* live 100 */
  char *b = kept(calloc(10, 20)); /* 300 */
  a = kept(realloc(a, 1000));     /* 1200 */
  SITE;
  a = kept(reallocarray(a, 5, 10));       /* 250 */
  char *c = kept(realloc(NULL, 40));      /* 290 */
  char *d = kept(aligned_alloc(64, 128)); /* 418 */
  char *e = kept(memalign(256, 10));      /* 428 */
  void *f = NULL;
  failed |= posix_memalign(&f, 4096, 70); /* 498 */
  kept(f);
  char *g = kept(valloc(30));   /* 528 */
  char *h = kept(pvalloc(1));   /* 528 + P */
  char *i = kept(strdup(word)); /* 629 + P: the peak */
  failed |= malloc_usable_size(a) < 50 || malloc_usable_size(h) < page;
  failed |= (uintptr_t)d % 64 || (uintptr_t)e % 256 || (uintptr_t)f % 4096 || strcmp(i, word) != 0;
  for (int at = 0; at < 200; ++at)
    failed |= b[at] != 0;
  free(NULL);
  failed |= realloc(c, 0) != NULL; /* a free: 589 + P */
  kept(realloc(NULL, 0));          /* an allocation of 0 bytes */
  free(Keep);
  failed |= kept(malloc(SIZE_MAX / 2)) != NULL; /* fails, counts nothing */
  failed |= kept(reallocarray(a, SIZE_MAX / 2, 4)) != NULL;
  failed |= kept(calloc(SIZE_MAX / 2, 4)) != NULL;
  failed |= kept(realloc(a, SIZE_MAX / 2)) != NULL; /* fails, a stays */
  failed |= posix_memalign(&f, 3, 8) == 0;
  free(b);
  free(d);
  free(e);
  free(f);
  free(g);
  free(h);
  free(i); /* 50: a is the output */
  LEAVE;
  free(a);
  return failed;
}

int main(void) {
  int failed = family(1) | family(1);
  puts(failed ? "failed" : "ok");
  return failed;
}
