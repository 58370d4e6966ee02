// Bounds of operators that take objects.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They are counted as those of other operators. What the arguments hold is the caller's and no part of them. A member
// of an argument that nothing reads need not be given.
//
// RUN: %held -std=c++17 -O2 -fplugin-arg-memshape-operator=picked
// HELD s.values.size=1000 --set width=0.5 --bounds 0..6144
// RUN: %predict --shape s.values.size=1000 --set width=0.5 --json | %says '"code": "counted_upper"'

#include "../Inputs/twice.h"
#include <vector>

struct Samples {
  std::vector<float> values;
  int channel;
};

/// Distinct values, of which there may be as many as samples.
float picked(const Samples &s, double width) {
  std::vector<int> seen;
  for (std::size_t i = 0; i < s.values.size(); ++i) {
    const int bin = int(s.values[i] / width);
    std::size_t at = 0;
    while (at < seen.size() && seen[at] != bin)
      ++at;
    if (at == seen.size())
      seen.push_back(bin);
  }
  return float(seen.size());
}

TWICE(sink = picked(Samples{std::vector<float>(data, data + number(1)), 0}, 0.5))
