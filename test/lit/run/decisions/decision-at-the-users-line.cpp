// Where data decides.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A size that ends in the library's allocator is named where the operator's author asked for it; the made-up name is
// none of the source.
//
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | FileCheck %s
//
// RUN: %predict --shape n=100 --json | FileCheck %s --check-prefix=JSON
//
// CHECK: decision-at-the-users-line.cpp:[[#@LINE+16]] {{.*}} a size from data: k2
// CHECK: decision-at-the-users-line.cpp:[[#@LINE+17]] (in {{.*}}:{{[0-9]+}})
// JSON:      "file": "{{.*}}decision-at-the-users-line.cpp",
// JSON-NEXT: "line": [[#@LINE+15]]
// JSON:      "inside": {
// JSON-NEXT: "file": "/{{.*}}",

#include <memory>
#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
float gather(const float *in, const int *count, int n) {
  const int k = n / 2;
  std::vector<float> picks;
  {
    const int found = count[0];
    // The next line is what the author would name.
    picks.resize(static_cast<std::size_t>(found) * 2 + std::size_t(k));
  }
  picks[0] = in[0];
  return picks[0] + float(picks.size());
}
