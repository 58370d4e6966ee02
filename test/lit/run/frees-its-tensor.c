//===- frees-its-tensor.c - An operator that frees a block of its caller --===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Nobody but the caller knows how large the block is: the refusal says what happened, and what to do.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: not %memshape predict %t.o --shape n=100 2>&1 | FileCheck %s
//
// CHECK: the operator frees tensor number 1, memory of its caller whose bytes no prediction knows: do that in the caller

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
float *doubled(float *in, int n) {
  float *out = malloc(sizeof(float) * (size_t)n);
  for (int i = 0; i < n; ++i)
    out[i] = 2 * in[i];
  free(in);
  return out;
}
