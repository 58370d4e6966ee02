// Both plugin options together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// -fplugin and -fpass-plugin, or two pipelines one after the other: a module is worked on once.
//
// RUN: %clang -std=c11 -O1 -I%include -S -emit-llvm %s -o - \
// RUN:   | %opt -passes=memshape-import,memshape-embed,memshape-import,memshape-embed -S | FileCheck %s

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
void *make(int n) { return malloc(n); }

// CHECK-COUNT-2: module asm ".pushsection .memshape
// CHECK-NOT: module asm ".pushsection .memshape
// CHECK: define {{.*}}@make(
// CHECK-COUNT-1: getelementptr {{.*}}, i64 24
// CHECK-NOT: getelementptr {{.*}}, i64 24
// CHECK: ret
