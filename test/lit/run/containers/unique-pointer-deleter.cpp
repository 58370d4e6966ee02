// std::unique_ptr with a deleter of its own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One deleter is a type, the other a function pointer.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <cstdlib>
#include <memory>

struct Release {
  void operator()(float *block) const { std::free(block); }
};

MEMSHAPE_OPERATOR
float first(const float *in, int n) {
  std::unique_ptr<float, Release> copy(static_cast<float *>(std::malloc(n * sizeof(float))));
  std::unique_ptr<float, void (*)(float *)> other(static_cast<float *>(std::calloc(n, 2)),
                                                  [](float *block) { std::free(block); });
  copy.get()[0] = in[0];
  return copy.get()[0];
}

TWICE(sink = first(data, number(1)))
