// std::async without a policy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where no thread starts, it catches the exception, and whoever asks for the result runs the function. Only a run follows
// that. (Of clang 19's code the skeleton fails before it comes there.)
//
// REQUIRES: clang-22
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: not %memshape predict %t --shape n=100 2>&1 | FileCheck %s
// CHECK: an exception may be caught at {{.*}}async-by-any-policy.cpp:[[@LINE+8]], which only a run of the operator follows

#include "../Inputs/twice.h"
#include <future>
#include <vector>

MEMSHAPE_OPERATOR
float by_any_policy(const float *in, int n) {
  auto later = std::async([=] { return std::vector<float>(in, in + n)[n / 2]; });
  return later.get();
}

TWICE(sink = by_any_policy(data, number(1)))
