// A setting at which the operator throws.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A container of a negative length throws before anything is allocated; there is no footprint then.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --set sigma=2 -- 100 2
// RUN: not %memshape predict %t --shape n=100 --set sigma=-5 2>&1 | FileCheck %s
// CHECK: throws

#include "../Inputs/twice.h"
#include <cmath>
#include <vector>

MEMSHAPE_OPERATOR
float weight(const float *in, int n, float sigma) {
  std::vector<float> kernel(2 * (int)std::ceil(3 * sigma) + 1);
  std::vector<std::vector<float>> rows(n);
  for (std::vector<float> &row : rows)
    row.resize(n);
  for (int i = 0; i < n; ++i)
    rows[i][n - 1 - i] = in[i] + kernel[0];
  return rows[n / 2][0];
}

TWICE(sink = weight(data, number(1), number(2)))
