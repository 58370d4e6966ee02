/* Naming operators in user code.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

       #include <memshape/operator.h>

       MEMSHAPE_OPERATOR
       void gst3d(const floatcube, int ni, int nx, int ns, floatout) { ... }

   Compiled without the plugin, MEMSHAPE_OPERATOR is nothing and memshape_data does nothing. */

#pragma once

#include <stddef.h>

/* Put before a function definition: its memory is to be described in terms of its integer parameters. */
#if defined(__clang__)
#define MEMSHAPE_OPERATOR __attribute__((annotate("memshape.operator")))
#else
#define MEMSHAPE_OPERATOR
#endif

/* Put beside MEMSHAPE_OPERATOR: the bytes that a call may have on the heap at a time, or has, as a formula in the shape
   symbols and in the bytes of arguments (`in.bytes`), which `memshape check --contracts` holds against the code:

       MEMSHAPE_OPERATOR MEMSHAPE_AT_MOST("4*nx*ns + 64") */
#if defined(__clang__)
#define MEMSHAPE_AT_MOST(BYTES) __attribute__((annotate("memshape.contract:at_most:" BYTES)))
#define MEMSHAPE_EXACTLY(BYTES) __attribute__((annotate("memshape.contract:exactly:" BYTES)))
#else
#define MEMSHAPE_AT_MOST(BYTES)
#define MEMSHAPE_EXACTLY(BYTES)
#endif

/* Declares `bytes` bytes at `data` to be tensor data: their values are unknown before the run, so that nothing computed
   from them may be taken for a fact about memory. For a wrapper that fills its own inputs. Costs one empty statement.
 */
static inline void memshape_data(void *data, size_t bytes) {
#if defined(__GNUC__)
  __asm__ __volatile__("# memshape.data %0 %1" : : "r"(data), "r"(bytes) : "memory");
#else
  (void)data;
  (void)bytes;
#endif
}

/* Says how an object of a type is built, for operators that take one: MEMSHAPE_BUILD(Cube, (int ni, int nx), Cube(ni, nx))
   outside of functions. TYPE is a class or structure, or a pointer to one where the expression is a pointer. An operator
   `void f(const Cube &cube)` then has the shape symbols cube.ni and cube.nx. Numbers with a point are settings, pointers
   to numbers tensors. A type whose name has a comma needs a typedef. Nobody calls the function, so that no code comes of
   it; other compilers see nothing. */
#if defined(__clang__)
#define MEMSHAPE_BUILD(TYPE, PARAMETERS, ...)                                                                          \
  _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wunknown-warning-option\"")                    \
      _Pragma("clang diagnostic ignored \"-Wc2y-extensions\"")                                                         \
          MEMSHAPE_BUILD_AS(TYPE, PARAMETERS, __COUNTER__, __VA_ARGS__) _Pragma("clang diagnostic pop")
#define MEMSHAPE_BUILD_AS(TYPE, PARAMETERS, NUMBER, ...) MEMSHAPE_BUILD_NAMED(TYPE, PARAMETERS, NUMBER, __VA_ARGS__)
#define MEMSHAPE_BUILD_NAMED(TYPE, PARAMETERS, NUMBER, ...)                                                            \
  __attribute__((annotate("memshape.build"), unused)) static TYPE memshape_build_##NUMBER PARAMETERS {                 \
    return __VA_ARGS__;                                                                                                \
  }
#else
#define MEMSHAPE_BUILD(TYPE, PARAMETERS, ...)
#endif
