// Tells the program in Fortran around it what an operator requested.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../hostile/counting.h"
#include <stdio.h>

void count_begin_(void) { counting_begin(); }

void count_end_(void) {
  const struct requested found = counting_end();
  printf("%ld %ld %ld %ld\n", found.peak, found.total, found.requests, found.left);
}
