// Many vectors that share the elements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each of them can come to hold all elements, but not all of them can: what is appended to one is appended to no other.
// So the bound is linear in n, however many buckets there are.
//
// RUN: %clangxx -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 0..1984 -- 100 0
// RUN: %compare %t --shape n=100 --bounds 0..1984 -- 100 1
// RUN: %compare %t --shape n=129 --bounds 0..2448 -- 129 0
// RUN: %compare %t --shape n=1 --bounds 0..400 -- 1 0

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
long sorted(const unsigned *keys, int n) {
  std::vector<std::vector<unsigned>> buckets(16);
  for (int i = 0; i < n; ++i)
    buckets[keys[i] & 15].push_back(keys[i]);
  long sum = 0;
  for (const std::vector<unsigned> &bucket : buckets)
    sum += long(bucket.size() * bucket.size());
  return sum;
}

TWICE({
  for (int at = 0; at < 1000; ++at)
    reinterpret_cast<unsigned *>(data)[at] = unsigned(at * number(2));
  sink = sorted(reinterpret_cast<unsigned *>(data), int(number(1)));
})
