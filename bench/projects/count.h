//===- count.h - Requested bytes of a program, counted from outside -------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef MEMSHAPE_BENCH_COUNT_H
#define MEMSHAPE_BENCH_COUNT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct count {
  int64_t peak, total, requests, reallocations, left; ///< bytes, bytes, requests, reallocations, bytes
};

void count_begin(void);
struct count count_end(void);

#ifdef __cplusplus
}
#endif

#endif // MEMSHAPE_BENCH_COUNT_H
