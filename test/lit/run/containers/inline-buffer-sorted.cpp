// A small array inside its owner, sorted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffer lies behind the header in the same object, and sorting walks through it in both directions.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=10 -- 10
//
// Known: the header is taken for data, and the skeleton aborts where the buffer is the object's own.

#include "../Inputs/twice.h"
#include <algorithm>

struct Small {
  unsigned long length;
  float *first;
  float few[16];

  explicit Small(unsigned long length) : length(length), first(length > 16 ? new float[length] : few) {}
  Small(const Small &other) : Small(other.length) { std::copy(other.first, other.first + length, first); }
  ~Small() {
    if (length > 16)
      delete[] first;
  }
};

MEMSHAPE_OPERATOR
float median(const float *in, int n) {
  Small sorted(n);
  std::copy(in, in + n, sorted.first);
  std::sort(sorted.first, sorted.first + sorted.length);
  Small copy(sorted);
  return copy.first[n / 2];
}

TWICE(sink = median(data, number(1)))
