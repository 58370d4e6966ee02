/* A module that comes and goes.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include "instrumented.h"

#include <stdlib.h>

__attribute__((visibility("default"))) void module_work(long n);

void module_work(long n) {
  ENTER("module_work", n);
  SITE;
  void *volatile block = malloc((size_t)n);
  free(block);
  LEAVE;
}
