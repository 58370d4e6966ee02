// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works three times on one object through memshape_sk_repeat, which calls the library once; the object counts the real calls,
// and the block at the end is as large. Then meets unknown calls 2, 0 and 2.

#include "memshape/SkeletonAbi.h"

void library_work(void *);

void memshape_skeleton(const int64_t *shape, const double *settings) {
  uint64_t *object = memshape_sk_alloc(8, 0, 0, 0);
  for (int i = 0; i != 3; ++i)
    memshape_sk_repeat(library_work, object);
  const uint64_t calls = *object;
  memshape_sk_free(object);
  memshape_sk_alloc(calls, 0, 1, 0);
  memshape_sk_unknown(2);
  memshape_sk_unknown(0);
  memshape_sk_unknown(2);
}
