// Several bodies for one name.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Several bodies for one name
//
// flags:
// flags: -fPIC

#include <stdlib.h>

__attribute__((target_clones("avx2", "default"))) int cloned(const int *in, int n) {
  int *Work = malloc((size_t)n * sizeof(int)), Sum = 0;
  for (int I = 0; I < n; ++I)
    Work[I] = 2 * in[I];
  for (int I = 0; I < n; ++I)
    Sum += Work[I];
  free(Work);
  return Sum;
}

static int small(int n) { return n; }
static int large(int n) {
  free(malloc((size_t)n));
  return 2 * n;
}
static int (*choose(void))(int) { return __builtin_cpu_supports("avx") ? large : small; }
int chosen(int n) __attribute__((ifunc("choose")));

int other(int n) __attribute__((alias("cloned_alias_of")));
int cloned_alias_of(int n) {
  free(malloc((size_t)n));
  return chosen(n);
}
