// std::map.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tree's own function links the nodes; keys decide, values do not.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <map>
#include <memshape/operator.h>

MEMSHAPE_OPERATOR
int index(const float *in, int n) {
  std::map<int, double> of;
  for (int i = 0; i < n; ++i)
    of[i % 17] += in[i];
  return static_cast<int>(of.size());
}

// CHECK: define internal {{.*}}index
// CHECK-NOT: {{load double|fadd}}
// CHECK: call {{.*}}_Rb_tree_insert_and_rebalance
// CHECK-NOT: {{load double|fadd}}
// CHECK: define {{.*}}

// FACTS: "decisions": []
// FACTS: "unknown": []
