// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decision 0 is an integer from data, which makes a block of 3 to n bytes; where n is above 1000 nothing is known of how
// many. Decision 1 chooses whether there is another block, as large as the greatest of the two bytes in a table.

#include "memshape/SkeletonAbi.h"

static const uint8_t table[] = {5, 255, 9, 255};

void memshape_skeleton(const int64_t *shape, const double *settings) {
  const uint64_t n = (uint64_t)shape[0], count = memshape_sk_bounded_value(0, 0);
  memshape_sk_alloc(memshape_sk_within(count, 3, n <= 1000 ? n : INT64_MAX), 0, 0, MEMSHAPE_SK_UNTOUCHED);
  if (memshape_sk_decide(1, 0)) {
    const int64_t least = memshape_sk_extreme(table, 0, 2, 2, 1),
                  greatest = memshape_sk_extreme(table, -4, 3, 2, MEMSHAPE_SK_GREATEST | 1);
    memshape_sk_alloc(memshape_sk_within(count, (uint64_t)least, (uint64_t)greatest), 0, 1, MEMSHAPE_SK_UNTOUCHED);
  }
}
