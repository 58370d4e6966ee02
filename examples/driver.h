/* Runs an example operator from the command line.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   An example takes its shape as numbers, in the order of the operator's parameters:

       gst3d 100 120 80

   The operator is called twice: libraries initialise themselves in their first call, and a prediction describes later
   calls. Inputs and outputs are made before the first call, so that they do not count as the operator's. Plain C, so
   that all examples can include it. */

#pragma once

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { DriverCalls = 2 };

/* Reads `count` positive numbers; `names` ("ni nx ns") is for the message when they are not there. */
static inline void driver_read_shape(int argc, char **argv, const char *names, int count, int *shape) {
  int good = argc == count + 1;
  for (int i = 0; good && i < count; ++i) {
    char *end;
    const long value = strtol(argv[i + 1], &end, 10);
    good = *argv[i + 1] && !*end && value > 0 && value <= INT32_MAX;
    shape[i] = (int)value;
  }
  if (!good) {
    fprintf(stderr, "usage: %s %s   (positive integers)\n", argv[0], names);
    exit(2);
  }
}

static inline float *driver_make(size_t count) {
  float *data = (float *)malloc(count * sizeof(float) + 1);
  if (!data) {
    fprintf(stderr, "no memory for %zu numbers\n", count);
    exit(1);
  }
  return data;
}

/* Numbers in [-1, 1] that look like noise and are the same in every run. */
static inline float *driver_make_input(size_t count) {
  float *data = driver_make(count);
  uint64_t state = 0x9e3779b97f4a7c15ull;
  for (size_t i = 0; i < count; ++i) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    data[i] = (float)(int32_t)(state >> 32) * (1.0f / 2147483648.0f);
  }
  return data;
}

static inline double driver_checksum(const float *data, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; ++i)
    sum += (double)data[i] * (double)(i % 97 + 1);
  return sum;
}
