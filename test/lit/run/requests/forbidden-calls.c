// What a prediction never does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files, processes and sockets are not touched: the answer names the calls and is not exact.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %memshape predict %t.o --shape n=100 --json | FileCheck %s
// CHECK: "exact": false
// CHECK: "symbol": "popen"
// CHECK: "treatment": "dropped"
// CHECK: "note": "reaches out of the process, which a prediction never does"
// CHECK: "code": "reaches_out"
// CHECK: "symbol": "system"
// CHECK: "note": "reaches out of the process, which a prediction never does"

#define _POSIX_C_SOURCE 200809L
#include <memshape/operator.h>
#include <stdio.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
void process(float *in, int n) {
  FILE *log = popen("touch forbidden-calls.log", "w");
  float *room = (float *)malloc((size_t)n * sizeof(float));
  in[0] = (float)system("touch forbidden-calls.made") + (float)(log != 0);
  in[1] = room[0];
  free(room);
}
