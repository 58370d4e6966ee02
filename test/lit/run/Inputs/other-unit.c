/*===- other-unit.c - A unit in C ------------------------------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
\*===----------------------------------------------------------------------===*/

#include <stdlib.h>

double *plain_buffer(long n) { return calloc((size_t)n, sizeof(double)); }

void plain_release(double *buffer) { free(buffer); }
