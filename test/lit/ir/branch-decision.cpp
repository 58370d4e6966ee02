// A branch on data is a decision.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The condition is asked of the runner; nothing of its computation is left.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
float pick(const float *in, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += in[i] * in[i];
  if (sum > 1) {
    std::vector<float> copy(in, in + n);
    return copy[n / 2];
  }
  return 0;
}

// CHECK: define internal {{.*}}pick
// CHECK-NOT: {{fmul|fadd|fcmp}}
// CHECK: [[ANSWER:%.*]] = call i32 @memshape_sk_decide_at(i32 0, i32 {{[01]}}, i32 1, {{.*}})
// CHECK: br
// CHECK: @memshape_sk_alloc(

// FACTS: "decisions": [
// FACTS: "effect": "chooses_allocations"
// FACTS: "id": 0
// FACTS: "kind": "branch"
// FACTS: "status": "sliced"
