// Sizes from data that the source bounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clamps, masks, remainders, guards and narrow types: some data reach the bound, no data go beyond it.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 110..4819 --reached -- 100 1000 -1 99 255 300
// RUN: %compare %t --shape n=100 --bounds 110..4819 -- 100 -1 0 -1 0 -1
// RUN: %compare %t --shape n=100 --bounds 110..4819 -- 100 2147483647 -2 98 128 301
// RUN: %compare %t --shape n=7 --bounds 17..1998 -- 7 -2147483648 77 -2147483648 1 22

#include "../Inputs/twice.h"
#include <algorithm>
#include <vector>

MEMSHAPE_OPERATOR
float bounded(const int *in, int n) {
  std::vector<float> clamped(std::clamp(in[0], 1, 2 * n), 1.0f);
  std::vector<char> masked(n + (in[1] & 255), 1);
  std::vector<double> rest(unsigned(in[2]) % unsigned(n) + 1, 1.0);
  std::vector<short> narrow(3 * reinterpret_cast<const unsigned char *>(in + 3)[0] + 1, short(1));
  float sum = clamped[clamped.size() / 2] + masked[n / 2] + float(rest[rest.size() / 2]) + narrow[narrow.size() / 2];
  const int count = in[4];
  if (count < 0 || count > 3 * n)
    return sum;
  std::vector<float> guarded(count + n / 3, 1.0f);
  return sum + guarded[n / 4];
}

TWICE({
  for (int at = 0; at < 5; ++at)
    reinterpret_cast<int *>(data)[at] = int(number(2 + at));
  sink = bounded(reinterpret_cast<int *>(data), int(number(1)));
})
