// new[] of a class with a destructor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The count of elements is kept in front of the first one, and read again to destroy them.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"

struct Owner {
  char *block;
  Owner() : block(new char[3]) {}
  ~Owner() { delete[] block; }
};

MEMSHAPE_OPERATOR
int owners(const float *in, int n) {
  auto *all = new Owner[n];
  all[n - 1].block[0] = in[0] > 0;
  int last = all[n - 1].block[0];
  delete[] all;
  return last;
}

TWICE(sink = owners(data, number(1)))
