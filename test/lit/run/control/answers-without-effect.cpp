// Data decides, and memory is the same.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of two buffers is used and freed first is data's choice in each turn, and whether a workspace comes from the
// heap depends on its size: every outcome was run, and all are alike, so the answer is exact. At the larger shape the
// workspace comes from the heap where data says so: that is not.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=50 -- 50
// RUN: %compare %t --shape n=90 -- 90
// RUN: %compare %t --shape n=200 --bounds 1600..2400 -- 200
// RUN: %memshape predict %t --shape n=50 --json | FileCheck %s
// CHECK-DAG: "effect": "no effect on memory at this shape: every outcome was run"
// CHECK-DAG: "effect_code": "none"
// CHECK-DAG: "bounds_proven": true
// CHECK-DAG: "exact": true

#include "../Inputs/twice.h"
#include <cstdlib>

MEMSHAPE_OPERATOR
float sweeps(const float *in, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    auto *left = static_cast<float *>(std::malloc(n * sizeof(float)));
    auto *right = static_cast<float *>(std::malloc(n * sizeof(float)));
    float *first = in[i] > 0 ? left : right, *second = in[i] > 0 ? right : left;
    first[0] = in[i];
    second[n - 1] = first[0] + sum;
    if (in[i] != 0) {
      float small[100] = {};
      float *work = n > 100 ? static_cast<float *>(std::malloc(n * sizeof(float))) : small;
      work[i % 100] = second[n - 1];
      sum += work[n % 7];
      if (work != small)
        std::free(work);
    }
    std::free(first);
    sum += second[n - 1];
    std::free(second);
  }
  return sum;
}

TWICE(sink = sweeps(data, number(1)))
