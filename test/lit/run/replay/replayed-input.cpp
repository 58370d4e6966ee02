// An operator that reads files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nothing of that happens in a prediction: there is no file, the answer is that of a run without one, and it says so.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: rm -f replayed-input.txt
// RUN: %compare %t --shape n=1000 --bounds 0..none --because left_out -- 1000
// RUN: %memshape predict %t --shape n=1000 --json | FileCheck %s
// RUN: not test -e replayed-input.txt
//
// CHECK: fopen (reaches out of the process, which a prediction never does)
// CHECK: "method": "replay"

#include "../Inputs/twice.h"
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>

MEMSHAPE_OPERATOR
double gather(const float *in, int n) {
  std::vector<double> values(n, in[0]);
  std::ifstream lines("replayed-input.txt");
  for (std::string line; std::getline(lines, line);)
    values.push_back(static_cast<double>(line.size()));
  if (std::FILE *out = std::fopen("/nowhere/replayed-input.txt", "w"))
    std::fclose(out);
  return values.back();
}

TWICE(sink = gather(data, number(1)))
