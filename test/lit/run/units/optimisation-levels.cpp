// Every level, with and without -g.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The skeleton is cut from the optimised program: whatever the optimiser made of the operator, prediction and run
// agree.
//
// RUN: %clangxx -std=c++20 -O0 -fplugin=%plugin -I%include %s -o %t
// RUN: %compare %t --shape n=100,levels=4 -- 100 4
// RUN: %clangxx -std=c++20 -O0 -g -fplugin=%plugin -I%include %s -o %t
// RUN: %compare %t --shape n=100,levels=4 -- 100 4
// RUN: %clangxx -std=c++20 -O1 -fplugin=%plugin -I%include %s -o %t
// RUN: %compare %t --shape n=100,levels=4 -- 100 4
// RUN: %clangxx -std=c++20 -O1 -g -fplugin=%plugin -I%include %s -o %t
// RUN: %compare %t --shape n=100,levels=4 -- 100 4
// RUN: %clangxx -std=c++20 -O2 -g -fplugin=%plugin -I%include %s -o %t
// RUN: %compare %t --shape n=100,levels=4 -- 100 4
// RUN: %clangxx -std=c++20 -O3 -fplugin=%plugin -I%include %s -o %t
// RUN: %compare %t --shape n=100,levels=4 -- 100 4
// RUN: %clangxx -std=c++20 -O3 -g -march=native -fplugin=%plugin -I%include %s -o %t
// RUN: %compare %t --shape n=100,levels=4 -- 100 4

#include "../Inputs/twice.h"
#include <memory>
#include <vector>

MEMSHAPE_OPERATOR
float pyramid(const float *in, int n, int levels) {
  std::vector<std::unique_ptr<float[]>> all;
  int length = n;
  for (int level = 0; level < levels; ++level) {
    all.emplace_back(new float[length]);
    for (int i = 0; i < length; ++i)
      all.back()[i] = level ? all[level - 1][2 * i] : in[i];
    length = length / 2;
  }
  return all.back()[0];
}

TWICE(sink = pyramid(data, number(1), number(2)))
