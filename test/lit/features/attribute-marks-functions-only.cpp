
// The attribute, the annotation, and an attribute inherited from a declaration mark operators; on anything else it is an error.

// RUN: %clangxx -c -fplugin=%plugin %s -o %t.o
// RUN: %python %S/read_features.py %t.o | FileCheck %s
// RUN: not %clangxx -c -DBAD -fplugin=%plugin %s -o %t.bad.o 2>&1 | FileCheck --check-prefix=BAD %s

[[memshape::operator]] void first(float *, int) {}
__attribute__((annotate("memshape.operator"))) void second(float *, int) {}
[[memshape::operator]] void third(float *, int);
void third(float *, int) {}
void fourth(float *, int) {}

// CHECK: operator first
// CHECK: operator second
// CHECK: operator third
// CHECK-NOT: operator

#ifdef BAD
[[memshape::operator]] int variable;
// BAD: [[#@LINE-1]]:3: error: 'memshape::operator' names a function, it cannot stand here
struct [[memshape::operator]] Class {};
// BAD: [[#@LINE-1]]:10: error: 'memshape::operator' names a function, it cannot stand here
#endif
