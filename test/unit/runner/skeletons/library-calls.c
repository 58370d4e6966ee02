// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls a library for real; shape 0 says what, shape 1 is a number of bytes. The library and the skeleton free and grow each
// other's blocks.

#include "memshape/SkeletonAbi.h"

void library_free(void *);
void *library_make(uint64_t);
void *library_grow(void *, uint64_t);
void library_cache(uint64_t);
void library_threads(uint64_t);
void library_abort(void);
void library_exit(void);
void library_exit_silently(void);
void library_throw(void);
void library_print(void);
void library_write(void);

void memshape_skeleton(const int64_t *shape, const double *settings) {
  const uint64_t n = (uint64_t)shape[1];
  switch (shape[0]) {
  case 0: return library_free(memshape_sk_alloc(n, 0, 0, 0));
  case 1: return memshape_sk_free(library_make(n));
  case 2: library_grow(memshape_sk_alloc(n, 0, 0, 0), 2 * n); return;
  case 3: memshape_sk_realloc(library_make(n), 3 * n, 1, 0); return;
  case 4: return library_cache(n);
  case 5: return library_threads(n);
  case 6: return library_abort();
  case 7: return library_exit();
  case 8: return library_throw();
  case 9: return library_print();
  case 10: return library_write();
  case 11: return library_exit_silently();
  }
}
