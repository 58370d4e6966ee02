/*===- operator.h - Naming operators in user code -------------------------===*\
|*
|* Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
|*
|*===----------------------------------------------------------------------===*|
|*
|*     #include <memshape/operator.h>
|*
|*     MEMSHAPE_OPERATOR
|*     void gst3d(const float *cube, int ni, int nx, int ns, float *out) { ... }
|*
|* Compiled without the plugin, MEMSHAPE_OPERATOR is nothing and memshape_data does nothing.
|*
\*===----------------------------------------------------------------------===*/

#ifndef MEMSHAPE_OPERATOR_H
#define MEMSHAPE_OPERATOR_H

#include <stddef.h>

/* Put before a function definition: its memory is to be described in terms of its integer parameters. */
#if defined(__clang__)
#define MEMSHAPE_OPERATOR __attribute__((annotate("memshape.operator")))
#else
#define MEMSHAPE_OPERATOR
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

#endif /* MEMSHAPE_OPERATOR_H */
