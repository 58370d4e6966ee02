// What does not come from the heap has a hook.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Also where the call does not say how large it is. The site tells the space: 1 device, 2 pinned, 3 managed, 5 mapped.
//
// RUN: %clang -std=c11 -O1 -D_GNU_SOURCE -I%include -S -emit-llvm %s -o - | %opt -passes=memshape-import,memshape-hooks -S | FileCheck %s

#include <stddef.h>
#include <sys/mman.h>

int cudaMallocPitch(void **block, size_t *pitch, size_t width, size_t height);
int cuMemHostAlloc(void **block, size_t bytes, unsigned flags);
int cuMemAllocManaged(unsigned long long *block, size_t bytes, unsigned flags);

void *all(void **block, size_t *pitch, unsigned long long *managed, size_t n) {
  cudaMallocPitch(block, pitch, n, n);
  cuMemHostAlloc(block, n, 0);
  cuMemAllocManaged(managed, n, 1);
  return mmap(NULL, n, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

// CHECK-DAG: @memshape.site{{[.0-9]*}} = {{.*}} i32 1, i32 0 }
// CHECK-DAG: @memshape.site{{[.0-9]*}} = {{.*}} i32 2, i32 0 }
// CHECK-DAG: @memshape.site{{[.0-9]*}} = {{.*}} i32 3, i32 0 }
// CHECK-DAG: @memshape.site{{[.0-9]*}} = {{.*}} i32 5, i32 0 }
// CHECK: define {{.*}}@all(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}})
// CHECK: call {{.*}}@cudaMallocPitch(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}})
// CHECK: call {{.*}}@cuMemHostAlloc(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}})
// CHECK: call {{.*}}@cuMemAllocManaged(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}})
// CHECK: call {{.*}}@mmap{{(64)?}}(
