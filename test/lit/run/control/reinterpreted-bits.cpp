// A size from the bits of a number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bytes of a number read as another type are still data: type-based facts do not hide them.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 802..8992 -- 100
// RUN: %compare %t --shape n=9 --bounds 74..8264 -- 9

#include "../Inputs/twice.h"
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

MEMSHAPE_OPERATOR
float hashed(const float *in, int n) {
  std::vector<double> sums(n);
  for (int i = 0; i < n; ++i)
    sums[i] = in[i] + 1.0;
  std::uint64_t bits;
  std::memcpy(&bits, &sums[n - 1], sizeof bits);
  std::vector<char> table((bits >> 40) % 4096 + 1);
  std::uint64_t more = std::bit_cast<std::uint64_t>(sums[n / 2]);
  std::vector<char> again((more >> 44) % 4096 + 1);
  for (std::size_t i = 0; i < table.size() + again.size(); ++i)
    (i < again.size() ? again[i] : table[i - again.size()]) = char(i * more);
  return float(table[n % table.size()] + again[n % again.size()]);
}

TWICE(sink = hashed(data, number(1)))
