// What is asked of each sample.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Is any sample negative, is one too large? Of a million million samples that is still two answers, and the bounds are
// proven.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 400..800 -- 100
// RUN: %compare %t --shape n=1 --bounds 4..8 -- 1
// RUN: %memshape predict %t --shape n=1000000000000 --json | FileCheck %s
// CHECK-DAG: "bounds_proven": true
// CHECK-DAG: "lower_bytes": 4000000000000
// CHECK-DAG: "upper_bytes": 8000000000000

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
float clipped(const float *in, long n) {
  bool negative = false;
  for (long i = 0; i < n; ++i)
    negative |= in[i] < 0;
  std::vector<float> copy(in, in + n);
  for (long i = 0; i < n; ++i)
    if (in[i] > 100)
      return copy[n / 2];
  if (negative) {
    std::vector<float> mask(copy);
    copy[0] = mask[n / 2];
  }
  return copy[n / 2];
}

TWICE(sink = clipped(data, number(1)))
