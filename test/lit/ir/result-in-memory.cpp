// A result returned in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its slot is made by the entry; what it owns is never freed.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll

#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
std::vector<float> doubled(const float *in, int n) {
  std::vector<float> result(n);
  for (int i = 0; i < n; ++i)
    result[i] = 2 * in[i];
  return result;
}

// CHECK: define {{.*}}@memshape_skeleton(
// CHECK: alloca
// CHECK: call {{.*}}doubled
// CHECK: define internal {{.*}}doubled
// CHECK: call {{.*}}@memshape_sk_alloc(
// CHECK-NOT: call {{.*}}@memshape_sk_free(
