// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shape 0 says how: abort, exit, a C++ throw, a failed assertion, std::__throw_length_error, or a division by zero, a null pointer,
// endless recursion, an endless loop, a block freed twice, a site or a decision that nobody announced; 15: a check that
// fails after a decision was answered.

#include "memshape/SkeletonAbi.h"

void abort(void) __attribute__((noreturn));
void exit(int) __attribute__((noreturn));
void __cxa_throw(void *, void *, void *) __attribute__((noreturn));
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
void _ZSt20__throw_length_errorPKc(const char *) __attribute__((noreturn));
static volatile int64_t zero;

static int64_t recurse(int64_t n) {
  volatile int64_t room[1000];
  room[0] = n;
  const int64_t below = recurse(n + 1);
  return below + room[0];
}

void memshape_skeleton(const int64_t *shape, const double *settings) {
  switch (shape[0]) {
  case 1: abort();
  case 2: exit(0);
  case 3: __cxa_throw(0, 0, 0);
  case 4: __assert_fail(0, 0, 1, 0);
  case 5: _ZSt20__throw_length_errorPKc(0);
  case 6: zero = shape[0] / zero; return;
  case 7: *(volatile int64_t *)64 = 1; return;
  case 8: recurse(shape[0]); return;
  case 9:
    for (;;)
      zero = 1;
  case 10: {
    void *block = memshape_sk_alloc(10, 0, 0, 0);
    memshape_sk_free(block);
    return memshape_sk_free(block);
  }
  case 11: memshape_sk_alloc(10, 0, 4000000000, 0); return;
  case 12: memshape_sk_decide(77, 0); return;
  case 13:
    memshape_sk_work -= 3000000; // 1,500 us
    memshape_sk_alloc(INT64_MAX, 0, 0, MEMSHAPE_SK_UNTOUCHED);
    memshape_sk_alloc(1, 0, 1, MEMSHAPE_SK_UNTOUCHED);
    return;
  case 14: memshape_sk_alloc(90071992547409920, 0, 1, 0); return;
  case 15: memshape_sk_check(memshape_sk_decide(0, 1)); return;
  }
}
