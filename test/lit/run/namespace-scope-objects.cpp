//===- namespace-scope-objects.cpp - Objects made before main ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What constructors at namespace scope have made is there when the operator starts.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %clangxx %t.o -o %t
// RUN: %python %S/compare.py %memshape %t --shape n=100 --within-bounds -- 100
// RUN: %python %S/compare.py %memshape %t --shape n=7 --within-bounds -- 7

#include "Inputs/twice.h"
#include <vector>

static const std::vector<int> widths = {3, 5, 7};

MEMSHAPE_OPERATOR
float filters(const float *in, int n) {
  float sum = 0;
  for (int width : widths) {
    std::vector<float> kernel(width * n, in[0]);
    sum += kernel[n];
  }
  return sum;
}

TWICE(sink = filters(data, number(1)))
