// Three blocks of n bytes that nobody touches; their sizes are asked for, two are freed in the other order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/SkeletonAbi.h"

void memshape_skeleton(const int64_t *shape, const double *settings) {
  const uint64_t n = (uint64_t)shape[0];
  void *a = memshape_sk_alloc(n, 64, 0, MEMSHAPE_SK_UNTOUCHED),
       *b = memshape_sk_alloc(n, 64, 1, MEMSHAPE_SK_UNTOUCHED | MEMSHAPE_SK_ZEROED);
  const uint64_t size = memshape_sk_block_size(b);
  memshape_sk_free(a);
  memshape_sk_free(memshape_sk_alloc(size, 0, 2, MEMSHAPE_SK_UNTOUCHED));
}
