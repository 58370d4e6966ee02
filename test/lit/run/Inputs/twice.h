/* Calls operators twice, for tests.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A test of one operator ends with TWICE(op(number(1), data)): `number(i)` is the i-th number of the command line, `data`
   and `more` are static tensors of 65536 bytes, full of bytes that look like noise. The second call is the one that a
   prediction describes. A result goes to `sink`, so that the call is not found to be without effect.

   A test of several has TWICE_OF(op, op(number(1), data)) behind each, and ends with TWICE_EACH: `program op 100` calls
   that one, and its numbers are those behind the name. held.py writes all of that where parameters say how to call. */

#pragma once

#include <memshape/operator.h>
#include <stdlib.h>
#include <string.h>

enum { DataBytes = 65536 };
static volatile double sink;
static double data_storage[DataBytes / sizeof(double)], more_storage[DataBytes / sizeof(double)];
static char **arguments;

static long number(int position) { return strtol(arguments[position], 0, 10); }

static void fill_data(char **argv) {
  float *data = (float *)data_storage;
  unsigned state = 1;
  arguments = argv;
  for (unsigned at = 0; at < DataBytes / sizeof(float); ++at) {
    state = state * 1664525u + 1013904223u;
    data[at] = (float)(int)state / 2147483648.0f;
  }
  (void)sink;
  (void)more_storage;
  (void)number;
}

#define TWICE(CALL)                                                                                                    \
  int main(int argc, char **argv) {                                                                                    \
    float *data = (float *)data_storage, *more = (float *)more_storage;                                                \
    int call;                                                                                                          \
    fill_data(argv);                                                                                                   \
    (void)data;                                                                                                        \
    (void)more;                                                                                                        \
    (void)argc;                                                                                                        \
    for (call = 0; call < 2; ++call)                                                                                   \
      CALL;                                                                                                            \
    return 0;                                                                                                          \
  }

struct named_call {
  const char *name;
  void (*call)(float *data, float *more);
};

#define TWICE_OF(NAME, CALL)                                                                                           \
  static void NAME##_once(float *data, float *more) {                                                                  \
    (void)data;                                                                                                        \
    (void)more;                                                                                                        \
    CALL;                                                                                                              \
  }                                                                                                                    \
  __attribute__((section("named_calls"), used)) static const struct named_call NAME##_named = {#NAME, NAME##_once};

#define TWICE_EACH                                                                                                     \
  extern const struct named_call __start_named_calls[], __stop_named_calls[];                                          \
  int main(int argc, char **argv) {                                                                                    \
    int call, found = 0;                                                                                               \
    const struct named_call *each;                                                                                     \
    fill_data(argv + 1);                                                                                               \
    for (each = __start_named_calls; argc > 1 && each != __stop_named_calls; ++each)                                   \
      for (call = 0; call < 2 && !strcmp(each->name, argv[1]); ++call, ++found)                                        \
        each->call((float *)data_storage, (float *)more_storage);                                                      \
    return found != 2;                                                                                                 \
  }
