// Sorting vectors by their data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data decides which vector lies where; all of them live until the end.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 3600..3600 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <algorithm>
#include <vector>

MEMSHAPE_OPERATOR
float least(const float *in, int n) {
  std::vector<std::vector<float>> parts(n);
  for (int i = 0; i < n; ++i)
    parts[i].assign(in + i, in + i + 3);
  std::sort(parts.begin(), parts.end());
  return parts[0][0];
}

TWICE(sink = least(data, number(1)))
