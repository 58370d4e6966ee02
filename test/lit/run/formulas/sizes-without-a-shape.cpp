// An operator that has no shape symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All sizes come from data: the formula has the sizes of decisions alone.
//
// RUN: %clangxx -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict | FileCheck %s
// CHECK: peak heap 0 B 0 bytes at least, and what picks says: --assume picks=N
// CHECK-NEXT: picks is '{{.*}}picks[0]{{.*}}' at {{.*}}.cpp:[[@LINE+8]]: a size or a count that comes from data
// CHECK-NOT: one run
// CHECK: formula 8*picks
// RUN: %predict --assume picks=5 | %says "peak heap {{.*}} 40 bytes"

#include <cstdlib>
#include <memshape/operator.h>

MEMSHAPE_OPERATOR void *picked(const int *picks) { return std::malloc(picks[0] * sizeof(double)); }
