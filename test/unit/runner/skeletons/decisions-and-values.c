// Decision 0, asked n times, makes a block of 100 bytes where it is 1; decision 1 is an integer: a block of so many bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/SkeletonAbi.h"

void memshape_skeleton(const int64_t *shape, const double *settings) {
  int64_t i = 0;
  do
    if (memshape_sk_decide(0, 0))
      memshape_sk_alloc(100, 0, 0, MEMSHAPE_SK_UNTOUCHED);
  while (++i != shape[0]);
  memshape_sk_alloc(memshape_sk_value(1, 7), 0, 1, MEMSHAPE_SK_UNTOUCHED);
}
