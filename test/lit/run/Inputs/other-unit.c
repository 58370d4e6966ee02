/* A unit in C.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#include <stdlib.h>

double *plain_buffer(long n) { return calloc((size_t)n, sizeof(double)); }

void plain_release(double *buffer) { free(buffer); }
