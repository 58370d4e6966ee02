/* A block whose bytes are what an operator has found, for tests.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

#pragma once

#include <stdlib.h>

static float taken(const float *in, int bytes) {
  char *block = (char *)calloc(bytes, 1);
  block[(int)(in[1] + 1)] = 1;
  const float result = block[(int)(in[2] + 1)];
  free(block);
  return result;
}
