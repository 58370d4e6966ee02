// One constructor asks for the runtime.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// It runs before the user's constructors and refers weakly to memshape_attach: the program links and runs alone.
//
// RUN: %clang -std=c11 -O1 -I%include -S -emit-llvm %s -o - | %opt -passes=memshape-import,memshape-hooks -S | FileCheck %s

#include <stdlib.h>

void *first(size_t n) { return malloc(n); }
void *second(size_t n) { return malloc(n); }

// CHECK: @memshape.hooks = internal global
// CHECK-NOT: @memshape.hooks{{.*}} = internal
// CHECK: @llvm.global_ctors = {{.*}}[1 x {{.*}}i32 1, {{.*}}@memshape.attach
// CHECK: declare extern_weak void @memshape_attach(
// CHECK: define internal void @memshape.attach()
// CHECK: icmp ne {{.*}}@memshape_attach, null
// CHECK: call void @memshape_attach(i32 1, {{.*}}@memshape.hooks)
// CHECK-NOT: define internal void @memshape.attach
