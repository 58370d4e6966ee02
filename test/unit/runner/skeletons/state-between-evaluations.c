// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Counts its calls in plain, thread-local and constructed data: any memory of an earlier evaluation would make the block larger.
// Reads tensor 5, which must be zeros, and writes to it.

#include "memshape/SkeletonAbi.h"

static int64_t plain, made, *table;
static _Thread_local int64_t local = 10;

__attribute__((constructor)) static void construct(void) {
  made = 100;
  table = memshape_sk_alloc(8, 0, 0, 0);
}

void memshape_skeleton(const int64_t *shape, const double *settings) {
  int64_t *tensor = memshape_sk_tensor(5), *far = tensor + 123456789;
  const int64_t before = plain + local + made + *table + *far;
  *table = ++plain;
  ++local;
  ++made;
  *far = 1;
  memshape_sk_alloc((uint64_t)(before + (memshape_sk_tensor(5) == tensor ? 0 : 1000)), 0, 0, 0);
}
