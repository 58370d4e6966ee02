/* Memory that grows in known steps.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "instrumented.h"

#include <memshape/annotate.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { Most = 10000 };
static char *Kept[Most];

/* growing STEPS BYTES MILLISECONDS [FOREVER]: so many blocks, one after each pause, and a spike of the double size that
   lasts no time; nothing is touched, so that only requested bytes grow. */
static void grow(int64_t n, size_t bytes, unsigned milliseconds) {
  ENTER("grow", n);
  for (int64_t i = 0; i < n; ++i) {
    SITE;
    Kept[i] = malloc(bytes);
    usleep(1000 * milliseconds);
  }
  SITE;
  char *volatile spike = malloc(2 * bytes);
  free(spike);
  LEAVE;
}

int main(int count, char **arguments) {
  if (count < 4)
    return 2;
  int steps = atoi(arguments[1]);
  memshape_phase_begin("growth");
  grow(steps < Most ? steps : Most, strtoul(arguments[2], NULL, 10), (unsigned)atoi(arguments[3]));
  memshape_phase_end("growth");
  if (count > 4) {
    puts("grown");
    fflush(stdout);
    for (;;)
      pause();
  }
  for (int i = 0; i < steps && i < Most; ++i)
    free(Kept[i]);
  return 0;
}
