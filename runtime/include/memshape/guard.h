/* Ask before a call whether its memory is there.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

   For C99 and C++11, on Linux; nothing has to be linked. With a header that
   `memshape emit` has written:

     #include <memshape/guard.h>
     #include "smooth_memory.h"

     if (!memshape_fits(smooth_upper_bytes(ni, nx, ns)))
       return ENOMEM;

   What is free is asked for at each call: some ten small files of the kernel,
   about 0.1 ms. Nothing is reserved: others may take it in the meantime. */

#pragma once

#include <memshape/limits.h>

/* 1 where the process may still take so many bytes, and where nothing says how many it may; 0 otherwise, and for
   UINT64_MAX, which stands for what does not fit or has no bound. */
static inline int memshape_fits(uint64_t bytes) { return bytes != UINT64_MAX && bytes <= memshape_available_bytes(""); }
