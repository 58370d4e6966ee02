// Data decides whether an exception is caught.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the handler allocates is part of what data can cause.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=1000 --bounds 4000..none --because endless_answers -- 1000

#include "../Inputs/twice.h"
#include <vector>

static float first(const float *in, int n) {
  std::vector<float> copy(in, in + n);
  for (float value : copy)
    if (value > 0.9f)
      throw n;
  return copy[n / 2];
}

MEMSHAPE_OPERATOR
float guarded(const float *in, int n) {
  try {
    return first(in, n);
  } catch (int length) {
    std::vector<float> more(7 * length, in[0]);
    return more[n];
  }
}

TWICE(sink = guarded(data, number(1)))
