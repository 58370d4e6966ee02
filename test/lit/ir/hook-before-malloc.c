// The hook stands before the call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One load, one test against null, and the table's first entry with the site; then the allocation itself.
//
// RUN: %clang -std=c11 -O1 -I%include -S -emit-llvm %s -o - | %opt -passes=memshape-import,memshape-hooks -S | FileCheck %s

#include <stdlib.h>

void *make(size_t n) { return malloc(n); }

// CHECK: @memshape.hooks = internal global
// CHECK: define {{.*}}@make(
// CHECK: [[TABLE:%.*]] = load {{.*}}@memshape.hooks
// CHECK: [[PRESENT:%.*]] = icmp ne {{.*}}[[TABLE]], null
// CHECK: br i1 [[PRESENT]], label %[[ANNOUNCE:.*]], label %[[GO:[^,]*]]
// CHECK: [[ANNOUNCE]]:
// CHECK: getelementptr {{.*}}[[TABLE]], i64 8
// CHECK: call void %{{.*}}({{.*}}@memshape.site
// CHECK: br label %[[GO]]
// CHECK: [[GO]]:
// CHECK: call {{.*}}@malloc(
