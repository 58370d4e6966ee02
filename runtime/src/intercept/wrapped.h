/* The family under the names of the linker's.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   A statically linked program has no loader that could interpose malloc. There the linker does it: with --wrap=malloc
   every call of malloc, those in the C library included, goes to __wrap_malloc. interpose.c includes this file first
   when it is built as libmemshape_rt_wrapped.a. */

#pragma once

#define MEMSHAPE_WRAPPED 1

#define malloc __wrap_malloc
#define free __wrap_free
#define calloc __wrap_calloc
#define realloc __wrap_realloc
#define reallocarray __wrap_reallocarray
#define aligned_alloc __wrap_aligned_alloc
#define memalign __wrap_memalign
#define posix_memalign __wrap_posix_memalign
#define valloc __wrap_valloc
#define pvalloc __wrap_pvalloc
