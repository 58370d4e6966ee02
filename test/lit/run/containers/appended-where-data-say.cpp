// One array that grows in registers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each turn appends an element or none. The array is never longer than there are turns, its block no more than twice that,
// and lives with the one that replaces it: 16 bytes for each turn.
//
// RUN: %clangxx -O2 %operatorxx
// RUN: %compare %t --shape n=1000 --bounds 0..16000 -- 1000 1
// RUN: %compare %t --shape n=1000 --bounds 0..16000 -- 1000 2
// RUN: %compare %t --shape n=513 --bounds 0..8208 -- 513 1
// RUN: %compare %t --shape n=1000 --bounds 0..16000 -- 1000 -1

#include "../Inputs/twice.h"
#include <vector>

MEMSHAPE_OPERATOR
long selected(const int *in, int n) {
  std::vector<int> kept;
  for (int i = 0; i < n; ++i)
    if (in[i] > 0)
      kept.push_back(in[i]);
  return long(kept.size());
}

TWICE({
  for (int at = 0; at < 2000; ++at)
    reinterpret_cast<int *>(data)[at] = number(2) == 2 ? at % 2 : int(number(2));
  sink = selected(reinterpret_cast<int *>(data), int(number(1)));
})
