// std::shared_ptr without threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's hint that there is one thread is taken; both ways of counting lead to the same memory.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll
// RUN: FileCheck --check-prefix=FACTS %s < %t.json

#include <memory>
#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
float share(const float *in, int n) {
  auto block = std::make_shared<std::vector<float>>(n);
  std::vector<std::shared_ptr<std::vector<float>>> owners(n, block);
  (*block)[0] = in[0];
  return (*owners[n / 2])[0];
}

// CHECK-NOT: {{atomicrmw|cmpxchg|__libc_single_threaded}}
// CHECK: define internal {{.*}}share
// CHECK-NOT: {{atomicrmw|cmpxchg|__libc_single_threaded}}
// CHECK: call {{.*}}@memshape_sk_free(

// FACTS: "decisions": []
// FACTS: "unknown": []
