// Numbers in what is logged.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writing a number to a stream returns the stream: what follows goes the same way out of the process.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=16000 -- 16000
// RUN: %memshape predict %t --shape n=1000 --json | FileCheck %s
// CHECK: "peak_bytes": 12000,
// CHECK: "exact": true
// CHECK: "total_bytes": 84000,

#include "../Inputs/twice.h"
#include <iomanip>
#include <iostream>
#include <vector>

MEMSHAPE_OPERATOR
double relaxed(const float *in, int n) {
  std::vector<double> values(in, in + n);
  double rest = 1;
  for (int step = 0; step < 19; ++step) {
    std::vector<float> next(n);
    next[0] = values[n / 2] + step;
    rest += next[0];
    std::clog << "step " << step << ": rest " << rest << std::endl;
  }
  if (rest > 1e-3)
    std::cerr << "no convergence, rest " << std::setprecision(3) << rest << ' ' << n << std::endl;
  return rest;
}

TWICE(sink = relaxed(data, number(1)))
