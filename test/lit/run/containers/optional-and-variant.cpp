// std::optional and std::variant.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tags in memory say which alternative is alive.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --set wide=1 -- 100 1
// RUN: %compare %t --shape n=100 --set wide=0 -- 100 0
// RUN: %compare %t --shape n=10 --set wide=1 -- 10 1

#include "../Inputs/twice.h"
#include <optional>
#include <variant>
#include <vector>

MEMSHAPE_OPERATOR
float choose(const float *in, int n, bool wide) {
  std::optional<std::vector<float>> extra;
  std::variant<std::vector<float>, std::vector<double>> values;
  if (n > 50)
    extra.emplace(n);
  if (wide)
    values = std::vector<double>(n, in[0]);
  else
    values = std::vector<float>(n, in[0]);
  return std::visit([](const auto &v) { return static_cast<float>(v[0]); }, values) + (extra ? (*extra)[0] : 0);
}

TWICE(sink = choose(data, number(1), number(2)))
