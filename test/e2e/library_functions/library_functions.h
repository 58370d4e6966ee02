/* Rows of calls that are counted.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   ROW(id, "functions") { calls } is run with call = 0 to 1000, BEFORE(id) { ... } once before, uncounted. */

#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct row {
  const char *functions;
  void (*calls)(int), (*before)(void);
};
struct row *row(void (*calls)(int));

#ifdef __cplusplus
}
#endif

#define ROW(id, names)                                                                                                 \
  static void id(int call);                                                                                            \
  __attribute__((constructor)) static void add_##id(void) { row(id)->functions = names; }                              \
  static void id(int call)
#define BEFORE(id)                                                                                                     \
  static void id(int call);                                                                                            \
  static void before_##id(void);                                                                                       \
  __attribute__((constructor)) static void prepare_##id(void) { row(id)->before = before_##id; }                       \
  static void before_##id(void)
