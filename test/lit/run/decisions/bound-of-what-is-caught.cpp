// An exception, what led to it, and its handler.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data decide whether it is thrown. The bound holds what lives in the handler: the exception, its text, and what the
// handler makes; the vector in the block that was left has gone.
//
// RUN: %clangxx -O2 %operatorxx
// RUN: %compare %t --shape n=100 --bounds 300..709 --reached -- 100 2000
// RUN: %compare %t --shape n=100 --bounds 300..709 -- 100 5
// RUN: %compare %t --shape n=37 --bounds 111..394 --reached -- 37 2000

#include "../Inputs/twice.h"
#include <stdexcept>
#include <vector>

static void check(int value) {
  if (value > 1000)
    throw std::runtime_error("a value that is far too large to be true");
}

MEMSHAPE_OPERATOR
long checked(const int *in, int n) {
  std::vector<char> always(3 * n);
  long bad = 0;
  try {
    std::vector<float> copy(n);
    for (int i = 0; i < n; ++i) {
      check(in[i]);
      copy[i] = float(in[i]);
    }
  } catch (const std::exception &) {
    std::vector<char> report(2 * n);
    bad = long(report.size());
  }
  return bad + long(always.size());
}

TWICE({
  for (int at = 0; at < 1000; ++at)
    reinterpret_cast<int *>(data)[at] = int(number(2));
  sink = checked(reinterpret_cast<int *>(data), int(number(1)));
})
