// Exceptions that no data can bring about.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector of the C++ library throws where it would be too long, with a text that the locale translates: nobody knows how
// long that is. At these shapes it is not. Below zero it is, and there is no bound.
//
// RUN: %clangxx -O2 %operatorxx
// RUN: %compare %t --shape n=100,less=0 --bounds 400..585 --reached -- 100 -1 0
// RUN: %compare %t --shape n=100,less=0 --bounds 400..585 -- 100 1 0
// RUN: %compare %t --shape n=1001,less=1 --bounds 4000..4185 --reached -- 1001 -1 1
// RUN: %compare %t --shape n=4,less=9 --bounds 0..none --because no_skeleton -- 4 1 9

#include "../Inputs/twice.h"
#include <stdexcept>
#include <vector>

static int checked(int value) {
  if (value < 0)
    throw std::invalid_argument("a negative value");
  return value;
}

MEMSHAPE_OPERATOR
long copied(const int *in, int n, int less) {
  try {
    std::vector<int> copy(n - less);
    for (int i = 0; i < n - less; ++i)
      copy[i] = checked(in[i]);
    return copy[0];
  } catch (const std::exception &) {
    return -1;
  }
}

TWICE({
  for (int at = 0; at < 2000; ++at)
    reinterpret_cast<int *>(data)[at] = int(number(2));
  sink = copied(reinterpret_cast<int *>(data), int(number(1)), int(number(3)));
})
