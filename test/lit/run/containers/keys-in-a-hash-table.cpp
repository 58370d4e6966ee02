// A table of the C++ library that data fill.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A node for each key, and buckets as the library says that it chooses them.
//
// RUN: %clangxx -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 0..5360 -- 100 1
// RUN: %compare %t --shape n=100 --bounds 0..5360 -- 100 0
// RUN: %compare %t --shape n=1000 --bounds 0..51008 -- 1000 7

#include "../Inputs/twice.h"
#include <unordered_set>

MEMSHAPE_OPERATOR
long distinct(const int *keys, int n) {
  std::unordered_set<int> found;
  for (int i = 0; i < n; ++i)
    found.insert(keys[i]);
  return long(found.size());
}

TWICE({
  for (int at = 0; at < 2000; ++at)
    reinterpret_cast<int *>(data)[at] = int(at * number(2));
  sink = distinct(reinterpret_cast<int *>(data), int(number(1)));
})
