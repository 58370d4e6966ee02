// All of C's allocators have a hook.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A release also tells its block; realloc is an allocation.
//
// RUN: %clang -std=c11 -O1 -D_GNU_SOURCE -I%include -S -emit-llvm %s -o - | %opt -passes=memshape-import,memshape-hooks -S | FileCheck %s

#include <stdlib.h>

void use(void *block);
void all(size_t n) {
  use(calloc(n, 4));
  use(aligned_alloc(64, n));
  void *stored;
  if (!posix_memalign(&stored, 64, n))
    use(realloc(stored, 2 * n));
  free(stored);
}

// CHECK: define {{.*}}@all(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}})
// CHECK: call {{.*}}@calloc(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}})
// CHECK: call {{.*}}@aligned_alloc(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}})
// CHECK: call {{.*}}@posix_memalign(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}})
// CHECK: call {{.*}}@realloc(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}}, {{.*}})
// CHECK: call void @free(
