// A replay that would not fit.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operator itself fills its memory: at a large shape smaller ones are run, and their formula is taken.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape rows=100,columns=70 --bounds 0..56977 -- 100 70
// RUN: %memshape predict %t.o --shape rows=30000,columns=20000 --json | FileCheck %s
//
// CHECK: "peak_bytes": 480024{{[0-9]+}}
// CHECK: "lower_bytes": 0
// CHECK: "upper_bytes": null
// CHECK: "exact": false
// CHECK: "replayed at smaller shapes and extrapolated: {{.*}} fills more memory than a prediction may take"
// CHECK: "method": "extrapolated replay"

#include "../Inputs/twice.h"
#include <stdexcept>
#include <vector>

static void check(long rows) {
  if (rows > 5)
    throw std::runtime_error("too many");
}

MEMSHAPE_OPERATOR
double fold(const float *in, long rows, long columns) {
  double sum = 0;
  try {
    check(rows);
  } catch (const std::exception &) {
    std::vector<double> table(rows * columns, in[0] + 1), folded(rows);
    for (long i = 0; i < rows * columns; ++i)
      folded[i % rows] += table[i];
    sum = folded[1];
  }
  return sum;
}

TWICE(sink = fold(data, number(1), number(2)))
