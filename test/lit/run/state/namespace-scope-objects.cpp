// Objects made before main.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What constructors at namespace scope have made is there when the operator starts, and is not the operator's: static
// variables, members of class templates, and what they are made of.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=7 -- 7

#include "../Inputs/twice.h"
#include <map>
#include <string>
#include <vector>

static const std::vector<int> widths = {3, 5, 7};
static std::map<std::string, int> passes = {{"low", 2}, {"high", 1}};

template <int Order> struct Spline {
  static const std::vector<double> poles;
};
template <int Order> const std::vector<double> Spline<Order>::poles = std::vector<double>(Order / 2, -0.25);

MEMSHAPE_OPERATOR
float filters(const float *in, int n) {
  float sum = 0;
  for (int width : widths) {
    std::vector<float> kernel(width * n, in[0]);
    sum += kernel[n];
  }
  for (const auto &[name, times] : passes) {
    std::vector<float> pass(times * n, in[1]);
    sum += pass[0];
  }
  std::vector<double> poles(Spline<5>::poles);
  return sum + poles[1];
}

TWICE(sink = filters(data, number(1)))
