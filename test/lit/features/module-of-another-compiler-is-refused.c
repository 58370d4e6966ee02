
// A module opened by the wrong clang says so in one line and ends the compilation; the loader picks the right one.

// RUN: %clang -c -fplugin=%plugin %s -o %t.o
// RUN: rm -rf %t.d && mkdir %t.d && cp %plugin %t.d/memshape
// RUN: not %clang -c -fplugin=%t.d/memshape %s -o %t.d/out.o 2>&1 | FileCheck %s
// RUN: not ls %t.d/out.o

// CHECK: memshape: error: no module for this compiler ({{.*}}): there is no {{.*}}memshape-{{[0-9]+}}-plugin.so; install memshape for it, or use one of its compilers
// CHECK-NOT: {{.}}

int f(void) { return 1; }
