// Arguments of measured operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#include "counting.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static double noise(void) {
  static unsigned long state = 88172645463325252ul;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (double)(state >> 11) * (1.0 / 9007199254740992.0);
}

/// A tensor of Elements and more, outside the heap: zeros, noise between 0 and 1 (0 and 255), or numbers that grow.
static void *tensor(double elements, char type, const char *kind) {
  const size_t size = type == 'd' ? 8 : type == 'b' ? 1 : 4;
  if (elements > 4e8 / (double)size)
    elements = 4e8 / (double)size;
  const size_t room = (size_t)elements * 5 + 8000000;
  void *out = mmap(0, room * size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (out == MAP_FAILED)
    exit(4);
  size_t filled = !strcmp(kind, "zeros") ? 0 : (size_t)elements * 4 + 1024;
  if (filled > 40000000)
    filled = 40000000;
  for (size_t i = 0; i < filled; ++i) {
    const double value = !strcmp(kind, "ramp") ? (double)i + 0.5 * noise() : noise();
    if (type == 'f')
      ((float *)out)[i] = (float)value;
    else if (type == 'd')
      ((double *)out)[i] = value;
    else if (type == 'i')
      ((int *)out)[i] = (int)(value * 256);
    else
      ((unsigned char *)out)[i] = (unsigned char)(value * 256);
  }
  return out;
}

static void show(struct requested of) {
  printf("counted %ld %ld %ld %ld %ld\n", of.peak, of.total, of.requests, of.reallocations, of.left);
  fflush(stdout);
}
