// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// n turns; in each a block of 100 bytes comes, and of two blocks that may live from turn to turn, a decision says which
// one is replaced by it. The state: the turn and which slots are filled.

#include "memshape/SkeletonAbi.h"

void memshape_skeleton(const int64_t *shape, const double *settings) {
  void *slots[2];
  uint64_t live;
  memshape_sk_variable(slots, sizeof slots);
  slots[0] = slots[1] = 0;
  int64_t i = 0;
  do {
    live = (uint64_t)i;
    void **slot = &slots[memshape_sk_decide_at(0, 0, 1, &live, 1, 0)];
    memshape_sk_free(*slot);
    *slot = memshape_sk_alloc(100, 0, 0, MEMSHAPE_SK_UNTOUCHED);
  } while (++i != shape[0]);
  memshape_sk_free(slots[0]);
  memshape_sk_free(slots[1]);
}
