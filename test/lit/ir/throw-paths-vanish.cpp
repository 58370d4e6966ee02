// Messages of exceptions are not built.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A path that never returns allocates for its message alone: it is no part of the operator's memory.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <stdexcept>
#include <string>
#include <vector>

MEMSHAPE_OPERATOR
void at(const float *in, int n, int start, float *out) {
  std::vector<float> copy(n);
  for (int i = start; i < n; ++i) {
    if (copy[i] < 0)
      throw std::out_of_range("sample " + std::to_string(i) + " is negative");
    out[i] = in[i];
  }
}

// CHECK-NOT: {{landingpad|__cxa_|basic_string}}
// CHECK-DAG: define internal {{.*}}at
// CHECK-DAG: call {{.*}}@memshape_sk_alloc(
// CHECK-NOT: {{landingpad|__cxa_|basic_string}}

// FACTS: "decisions": []
