
// MEMSHAPE_DISABLE=1: the object file is the one that the compiler alone makes.

// RUN: %clang -O2 -c %s -o %t.plain.o
// RUN: env MEMSHAPE_DISABLE=1 %clang -O2 -c -fplugin=%plugin "-fplugin-arg-memshape-operator=*" %s -o %t.off.o
// RUN: cmp %t.plain.o %t.off.o

#include <stdlib.h>

void *take(int n) { return malloc(n); }
