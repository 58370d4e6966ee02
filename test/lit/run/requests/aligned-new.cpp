// operator new with an alignment.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ library rounds the size up to a multiple of the alignment.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <new>

struct alignas(64) Line {
  float values[13];
};

MEMSHAPE_OPERATOR
float lines(const float *in, int n) {
  auto *block = new Line[n];
  auto *one = ::operator new(n + 1, std::align_val_t(128));
  block[0].values[0] = in[0];
  float first = block[0].values[0];
  ::operator delete(one, std::align_val_t(128));
  delete[] block;
  return first;
}

TWICE(sink = lines(data, number(1)))
