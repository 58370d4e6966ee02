// A function that a resolver chooses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody but the resolver knows which one it takes, and they allocate differently: no answer is given for what is behind
// it.
//
// RUN: %clang -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: not %memshape predict %t.o --shape n=100 2>&1 | FileCheck %s
// CHECK: 'workspace'

#include <memshape/operator.h>
#include <stdlib.h>

static void *small(int n) { return malloc(n); }
static void *large(int n) { return malloc(8 * (size_t)n); }
static void *(*choose(void))(int) { return __builtin_cpu_supports("avx2") ? large : small; }
void *workspace(int n) __attribute__((ifunc("choose")));

MEMSHAPE_OPERATOR
float first(const float *in, int n) {
  float *copy = workspace(n);
  copy[0] = in[0];
  float result = copy[n / 100];
  free(copy);
  return result;
}
