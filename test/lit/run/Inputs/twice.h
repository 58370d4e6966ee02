/* Calls an operator twice, for tests.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A test defines one operator and ends with TWICE(op(number(1), data)): `number(i)` is the i-th number of the command
   line, `data` and `more` are static tensors of 65536 bytes, full of bytes that look like noise. The second call is the
   one that a prediction describes. A result goes to `sink`, so that the call is not found to be without effect. */

#pragma once

#include <memshape/operator.h>
#include <stdlib.h>

enum { DataBytes = 65536 };
static volatile double sink;

#define TWICE(CALL)                                                                                                    \
  static double data_storage[DataBytes / sizeof(double)], more_storage[DataBytes / sizeof(double)];                    \
  static char **arguments;                                                                                             \
  static long number(int position) { return strtol(arguments[position], 0, 10); }                                      \
  int main(int argc, char **argv) {                                                                                    \
    float *data = (float *)data_storage, *more = (float *)more_storage;                                                \
    unsigned state = 1;                                                                                                \
    int call;                                                                                                          \
    arguments = argv;                                                                                                  \
    for (unsigned at = 0; at < DataBytes / sizeof(float); ++at) {                                                      \
      state = state * 1664525u + 1013904223u;                                                                          \
      data[at] = (float)(int)state / 2147483648.0f;                                                                    \
    }                                                                                                                  \
    (void)sink;                                                                                                        \
    (void)more;                                                                                                        \
    (void)argc;                                                                                                        \
    (void)number;                                                                                                      \
    for (call = 0; call < 2; ++call)                                                                                   \
      CALL;                                                                                                            \
    return 0;                                                                                                          \
  }
