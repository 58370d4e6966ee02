// Settings reach the operator in its own types.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runners hand over doubles; the entry converts to float, double and bool.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
float blur(const float *in, int n, float sigma, double scale, bool twice) {
  std::vector<float> kernel(static_cast<int>(3 * sigma));
  std::vector<float> scaled(static_cast<int>(n * scale)), again(twice ? n : 1);
  return kernel[n] + scaled[n] + again[in[0] > 0];
}

// CHECK: define {{.*}}@memshape_skeleton(
// CHECK: fptrunc double {{.*}} to float
// CHECK: fptoui double {{.*}} to i1
// CHECK: call {{.*}}blur

// FACTS: "role": "tensor"
// FACTS: "role": "shape"
// FACTS: "bits": 32
// FACTS: "role": "setting"
// FACTS: "bits": 64
// FACTS: "role": "setting"
// FACTS: "bits": 1
// FACTS: "role": "setting"
