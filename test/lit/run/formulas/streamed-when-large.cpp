// Large shapes are done in blocks: the peak falls, which is no overflow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=50000 -- 50000
// RUN: %compare %t --shape n=60000 -- 60000

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
char middle(const char *in, long n) {
  if (n <= 50000) {
    std::vector<float> all(n * 8);
    all[n / 2] = in[n / 2];
    return all[n / 2] > 0;
  }
  std::vector<char> block(4096);
  for (long i = 0; i < n; i += 4096)
    for (long k = 0; k < 4096 && i + k < n; ++k)
      block[k] = in[i + k];
  return block[7];
}

TWICE(sink = middle((const char *)data, number(1)))
