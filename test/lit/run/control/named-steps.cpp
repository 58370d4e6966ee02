// A list of named functions that grows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A growing vector finds the place of its new element by the distance of two pointers: a multiple of the element's size,
// so that names, functions and what these hold stay apart.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100,steps=5 -- 100 5
// RUN: %compare %t --shape n=7,steps=1 -- 7 1

#include "../Inputs/twice.h"
#include <functional>
#include <string>
#include <utility>
#include <vector>

using Trace = std::vector<float>;

MEMSHAPE_OPERATOR
float process(const float *in, int n, int steps) {
  std::vector<std::pair<std::string, std::function<Trace(const Trace &)>>> all;
  for (int s = 0; s < steps; ++s) {
    if (s % 2)
      all.emplace_back("scale the whole trace", [s](const Trace &t) {
        Trace scaled(t);
        for (float &v : scaled)
          v *= s;
        return scaled;
      });
    else
      all.emplace_back("pad" + std::to_string(s), [n, s, steps](Trace t) {
        t.resize(n + s * steps);
        return t;
      });
  }
  Trace trace(in, in + n);
  for (auto &step : all)
    trace = step.second(trace);
  return trace[n / 2];
}

TWICE(sink = process(data, number(1), number(2)))
