// Futures whose work is done when they are asked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain of calls through pointers: the state's virtual function, std::call_once, a pointer to a member function, and
// std::function, whose small buffer holds pointers that copies of the structure hand on under their own types.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=1000,parts=3 %if clang-19 %{--bounds 0..none --because no_skeleton%} -- 1000 3
// RUN: %compare %t --shape n=1000,parts=1 %if clang-19 %{--bounds 0..none --because no_skeleton%} -- 1000 1

#include "../Inputs/twice.h"
#include <future>
#include <numeric>
#include <vector>

MEMSHAPE_OPERATOR
void sums(const float *in, int n, int parts, float *out) {
  std::vector<std::future<std::vector<double>>> results;
  for (int t = 0; t < parts; ++t)
    results.push_back(std::async(std::launch::deferred, [=] {
      std::vector<double> copy(in, in + n), sum(copy);
      std::partial_sum(copy.begin(), copy.end(), sum.begin());
      return sum;
    }));
  for (int t = 0; t < parts; ++t)
    out[t] = static_cast<float>(results[t].get()[n - 1]);
}

TWICE(sums(data, number(1), number(2), more))
