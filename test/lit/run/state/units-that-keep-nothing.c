// Objects that have no code for us.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit that is empty behind the preprocessor is no obstacle.
//
// RUN: %clang -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %clang -O2 -fplugin=%plugin -DEMPTY -c %s -o %t-empty.o
// RUN: %clang -O0 -fplugin=%plugin -DEMPTY -c %s -o %t-empty-0.o
// RUN: %predict %t-empty.o %t-empty-0.o --shape n=100 | FileCheck %s
// RUN: %memshape predict %t-empty.o %t.o --shape n=100 | FileCheck %s
// CHECK-NOT: keeps no code
// CHECK: peak heap {{.*}} 100 bytes exact
// RUN: not %memshape predict %t-empty.o --shape n=100 2>&1 | %says "has no operator"
//
// An object for another processor says that it is one.
//
// RUN: %clang -O2 -fplugin=%plugin -DFREESTANDING --target=aarch64-linux-gnu -ffreestanding -c %s -o %t-arm.o
// RUN: not %memshape predict %t-arm.o --shape n=100 2>&1 | FileCheck --check-prefix=ARM %s
// ARM: has no operator
// ARM-SAME: keeps no code of {{.*}}units-that-keep-nothing.c: it was compiled for aarch64-unknown-linux-gnu
// RUN: %predict %t-arm.o --shape n=100 | %says "peak heap {{.*}} 100 bytes exact" "keeps no code of {{.*}}aarch64"
// RUN: %report %t-arm.o | %says "no operators; {{.*}} compiled for aarch64"
// RUN: %clang -O2 -fplugin=%plugin -DFREESTANDING --target=aarch64-linux-gnu -ffreestanding -S %s -o - | FileCheck --check-prefix=PLAIN %s
// PLAIN-NOT: memshape_attach
//
// So does a unit without operators that was told to leave its code out.
//
// RUN: %clang -O2 -fplugin=%plugin -fplugin-arg-memshape-bodies=no -DFREESTANDING -c %s -o %t-bare.o
// RUN: not %memshape predict %t-bare.o --shape n=100 2>&1 | %says "it was compiled with bodies=no"

#ifdef FREESTANDING
void *malloc(__SIZE_TYPE__ size);
char *op(int n) { return malloc(n); }
#elif !defined(EMPTY)
#include <memshape/operator.h>
#include <stdlib.h>
MEMSHAPE_OPERATOR char *op(int n) { return malloc(n); }
#endif
