// operator new with an alignment.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The size is rounded up to a multiple of the alignment, and the alignment goes to the runner.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll

#include <memshape/operator.h>
#include <new>

MEMSHAPE_OPERATOR
void aligned(int n) {
  auto at = std::align_val_t(256);
  ::operator delete(::operator new(n, at), at);
}

// CHECK: define internal {{.*}}aligned
// CHECK: add {{.*}}, 255
// CHECK: and {{.*}}, -256
// CHECK: call {{.*}}@memshape_sk_alloc(i64 %{{.*}}, i64 256, i32 0, i32
// CHECK: call {{.*}}@memshape_sk_free(
