/* Operators that use their stack.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#define _GNU_SOURCE
#include "instrumented.h"

#include <alloca.h>
#include <pthread.h>
#include <string.h>

static void use(size_t bytes) {
  char *volatile block = alloca(bytes);
  memset(block, 1, bytes);
}

/* n bytes in a function that the operator calls. */
static void below(int64_t n) {
  ENTER("below", n);
  use((size_t)n);
  LEAVE;
}

/* An operator that goes less deep than the one it calls. */
static void outer(int64_t n) {
  ENTER("outer", n);
  use(1000);
  below(n);
  use(2000);
  LEAVE;
}

/* An operator that goes deeper than the one it calls, before or after. */
static void deeper(int64_t n, int before) {
  ENTER("deeper", n);
  if (before)
    use(50000);
  below(n);
  if (!before)
    use(50000);
  LEAVE;
}

static void *inThread(void *unused) {
  below(30000);
  return NULL;
}

int main(void) {
  pthread_t thread;
  below(2000000); /* pages that are not there yet */
  below(100);
  below(20000);
  outer(10000);
  deeper(7000, 1);
  deeper(7001, 0);
  pthread_create(&thread, NULL, inThread, NULL);
  pthread_join(thread, NULL);
  return 0;
}
