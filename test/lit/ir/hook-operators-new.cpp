// All forms of new and delete have a hook.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain, array, nothrow and aligned forms.
//
// RUN: %clangxx -std=c++20 -O1 -I%include -S -emit-llvm %s -o - | %opt -passes=memshape-import,memshape-hooks -S | FileCheck %s

#include <new>

void use(void *block);
void all(unsigned long n) {
  char *a = new char[n];
  use(a);
  delete[] a;
  void *b = ::operator new(n, std::nothrow);
  use(b);
  ::operator delete(b);
  void *c = ::operator new(n, std::align_val_t(64));
  use(c);
  ::operator delete(c, std::align_val_t(64));
}

// CHECK: define {{.*}}all
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}})
// CHECK: call {{.*}}@_Znam(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}}, {{.*}})
// CHECK: call {{.*}}@_ZdaPv
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}})
// CHECK: call {{.*}}@_ZnwmRKSt9nothrow_t(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}}, {{.*}})
// CHECK: call {{.*}}@_ZdlPv
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}})
// CHECK: call {{.*}}@_ZnwmSt11align_val_t(
// CHECK: call void %{{.*}}({{.*}}@memshape.site{{[.0-9]*}}, {{.*}})
// CHECK: call {{.*}}@_ZdlPvSt11align_val_t(
