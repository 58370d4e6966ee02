// Requested bytes of a program, counted from outside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

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
