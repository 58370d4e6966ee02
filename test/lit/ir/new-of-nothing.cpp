// operator new of no bytes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The C++ library asks malloc for one byte then.
//
// RUN: %clangxx -std=c++20 -O2 -fno-discard-value-names -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-slice -S -o %t.ll 2> %t.json
// RUN: FileCheck %s < %t.ll

#include <memshape/operator.h>
#include <new>

MEMSHAPE_OPERATOR
void nothing(int n) { ::operator delete(::operator new(n)); }

// CHECK: define internal {{.*}}nothing
// CHECK: {{umax|select}}
// CHECK: call {{.*}}@memshape_sk_alloc(
// CHECK: call {{.*}}@memshape_sk_free(
