// The block with the smallest address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Freed places that are used again, and blocks that lie below earlier ones, have the last of four lie first. Other orders
// have not.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 0..1908 -- 100

#include "../Inputs/twice.h"
#include <memory>
#include <set>
#include <vector>

static void *volatile kept;

MEMSHAPE_OPERATOR
int smallest(const int *in, int n) {
  std::vector<std::unique_ptr<int>> numbers;
  std::set<int *> ordered;
  for (int i = 0; i < 4; ++i) {
    numbers.push_back(std::make_unique<int>(i * n));
    ordered.insert(numbers.back().get());
  }
  std::unique_ptr<int[]> work(new int[**ordered.begin() + 1]);
  kept = work.get();
  work[0] = in[0];
  return work[0];
}

TWICE(sink = smallest(reinterpret_cast<int *>(data), static_cast<int>(number(1))))
