// A shape below 10 leaves for reason 3 while a block lives; setting 0, rounded, is the size of the block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/SkeletonAbi.h"

void memshape_skeleton(const int64_t *shape, const double *settings) {
  void *block = memshape_sk_alloc((uint64_t)settings[0], 0, 0, MEMSHAPE_SK_UNTOUCHED);
  if (shape[0] < 10)
    memshape_sk_leave(MEMSHAPE_SK_WAITS);
  memshape_sk_free(block);
}
