// push_back of a growing vector.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Capacities are followed, contents are not. How far the blocks are written is told where pointers in memory have types
// (clang 20 and newer).
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck --check-prefixes=CHECK,%if clang-19 %{WHOLE%} %else %{MARKED%} %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
float collect(const float *in, int n) {
  std::vector<float> taken;
  for (int i = 0; i < n; ++i)
    taken.push_back(in[i]);
  return taken[n / 2];
}

// CHECK: define internal {{.*}}collect
// CHECK-NOT: {{load float|memcpy|memmove}}
// MARKED: call {{.*}}@memshape_sk_alloc({{.*}}, i32 5), !
// WHOLE: call {{.*}}@memshape_sk_alloc({{.*}}, i32 1), !
// CHECK-NOT: {{load float|memcpy|memmove}}
// CHECK: call {{.*}}@memshape_sk_free(

// FACTS: "decisions": []
// FACTS: "unknown": []
