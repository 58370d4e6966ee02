// What other runs need is no bound.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which rows come to be long is decided in a loop, in more ways than can be tried: the third run needs more than all that
// are. What is counted holds for it as well: 24 bytes a row twice over, while rows are copied from one block to a larger one, and
// twice 4 bytes an element, each with its double.
//
// RUN: %clangxx -O2 %operatorxx
// RUN: %compare %t --shape n=50 --bounds 0..5600 -- 50 1
// RUN: %compare %t --shape n=50 --bounds 0..5600 -- 50 50
// RUN: %compare %t --shape n=50 --bounds 0..5600 -- 50 31

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
long records(const int *in, int n) {
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < n; ++i) {
    if (in[i] <= 0 || rows.empty())
      rows.emplace_back();
    rows.back().push_back(float(in[i]));
  }
  return long(rows.size());
}

TWICE({
  for (int at = 0; at < 1000; ++at)
    reinterpret_cast<int *>(data)[at] = at < number(2) ? -1 : at;
  sink = records(reinterpret_cast<int *>(data), int(number(1)));
})
