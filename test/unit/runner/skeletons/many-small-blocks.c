// n times: a block of 24 bytes, a block of 200 bytes, both freed. The cost of a pair is measured with it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "memshape/SkeletonAbi.h"

#ifndef FLAGS
#define FLAGS 0
#endif

void memshape_skeleton(const int64_t *shape, const double *settings) {
  int64_t i = 0;
  do {
    void *a = memshape_sk_alloc(24, 0, 0, FLAGS), *b = memshape_sk_alloc(200, 0, 1, FLAGS);
    memshape_sk_free(a);
    memshape_sk_free(b);
  } while (++i != shape[0]);
}
