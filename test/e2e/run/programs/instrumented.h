/* What the pass emits, by hand.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */

/* A module attaches in a constructor when the runtime is there, and tests its slot before each hook. */

#pragma once

#include <memshape/hooks.h>

#pragma weak memshape_attach

static const struct memshape_hooks *Hooks;

__attribute__((constructor)) static void attachToRuntime(void) {
  if (memshape_attach)
    memshape_attach(MEMSHAPE_HOOKS_ABI, &Hooks);
}

/* Before an allocation at this line. */
#define SITE SITE_IN(MEMSHAPE_SPACE_HOST)
#define SITE_IN(SPACE)                                                                                                 \
  do {                                                                                                                 \
    static const struct memshape_site Here = {__FILE__, __func__, __LINE__, 1, SPACE, 0};                              \
    if (Hooks)                                                                                                         \
      Hooks->allocation(&Here);                                                                                        \
  } while (0)

/* Entry of an operator with one shape symbol n. */
#define ENTER(NAME, VALUE)                                                                                             \
  static const char *const ShapeNames[] = {"n"};                                                                       \
  static const struct memshape_operator Operator = {NAME, __FILE__, __LINE__, 1, 0, 0, ShapeNames, 0};                 \
  int64_t ShapeValue = (VALUE);                                                                                        \
  struct memshape_call TheCall = {&Operator, &ShapeValue, 0, {0}};                                                     \
  if (Hooks)                                                                                                           \
  Hooks->enter(&TheCall)

#define LEAVE                                                                                                          \
  if (Hooks)                                                                                                           \
  Hooks->leave(&TheCall)
