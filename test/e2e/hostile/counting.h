// Requests between two moments, counted from outside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/// Bytes and calls. What was there at the begin is subtracted from `peak` and `left` when it goes.
struct requested {
  long peak, total, requests, reallocations, left;
};

void counting_begin(void);
struct requested counting_end(void);

#ifdef __cplusplus
}
#endif
