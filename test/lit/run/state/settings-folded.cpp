// Calls that differ in settings alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A solver is called with a thousand tolerances: one section of the page stands for all, the JSON has each.
//
// RUN: %clangxx -std=c++17 -O2 %operatorxx
// RUN: %memshape run -- %t 2>&1 | FileCheck %s
// RUN: %memshape run --json %t.json -- %t
// RUN: FileCheck %s --check-prefix=JSON < %t.json
//
// CHECK:     step  n=10  tolerance=99
// CHECK:     peak {{.*}} 1,592 B
// CHECK:     with 99 other settings, in 99 calls: peaks from 800 B to 1.55 KiB
// CHECK-NOT: step  n=10
// CHECK:     step  n=20  tolerance=1
// JSON-COUNT-100: "n": 10
#include <cstdlib>
#include <memshape/operator.h>

static float *volatile kept;

MEMSHAPE_OPERATOR
void step(int n, double tolerance) {
  float *work = static_cast<float *>(std::malloc(n * 80 + std::size_t(tolerance) * 8));
  kept = work;
  std::free(work);
}

int main() {
  for (int i = 0; i < 100; ++i)
    step(10, i);
  step(20, 1);
}
