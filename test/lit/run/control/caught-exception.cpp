// An exception thrown and caught inside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One shape throws, another does not. What a handler does is not sliced: the shape that throws is replayed, and says so.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=10 -- 10
// RUN: %compare %t --shape n=100 --bounds 0..2198 -- 100
// RUN: %memshape predict %t.o --shape n=100 --json | FileCheck %s
//
// CHECK: "exact": false
// CHECK: "replayed: the operator itself was run on zeros
// CHECK: "no skeleton answers here: {{.*}}: it throws an exception and catches it, which is not followed"
// CHECK: "method": "replay"

#include "../Inputs/twice.h"
#include <stdexcept>
#include <vector>

static void check(int n) {
  if (n > 50)
    throw std::runtime_error("larger than the buffer can be");
}

MEMSHAPE_OPERATOR
float attempt(const float *in, int n) {
  std::vector<float> small(n);
  try {
    check(n);
  } catch (const std::runtime_error &) {
    std::vector<float> large(4 * n);
    large[0] = in[0];
    return large[0];
  }
  return small[0];
}

TWICE(sink = attempt(data, number(1)))
