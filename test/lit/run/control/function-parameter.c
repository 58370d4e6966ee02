// Functions that the caller passes, or that anybody may set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the caller's function allocates is unknown and named by the parameter; what the operator allocates itself is
// known. Where it is not called the answer is exact.
//
// RUN: %clang -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %memshape predict %t.o --operator applied --shape n=100 --json | FileCheck %s --check-prefix=APPLIED
// RUN: %memshape predict %t.o --operator unused --shape n=100 --json | FileCheck %s --check-prefix=UNUSED
// RUN: %clang -O0 -fplugin=%plugin -I%include -c %s -o %t.0.o
// RUN: %memshape predict %t.0.o --operator applied --shape n=100 --json | FileCheck %s --check-prefix=APPLIED
// RUN: %memshape predict %t.0.o --operator unused --shape n=100 --json | FileCheck %s --check-prefix=UNUSED
//
// APPLIED: "peak_bytes": 400,
// APPLIED: "upper_bytes": null,
// APPLIED-NEXT: "exact": false,
// APPLIED: "decisions": [],
// APPLIED: "symbol": "f",
// APPLIED-NEXT: "treatment": "dropped",
// APPLIED-NEXT: "note": "a function that the caller passes: what it allocates is not counted"
//
// UNUSED: "peak_bytes": 400,
// UNUSED: "exact": true,
//
// Nothing comes of what a settable function is told: it is left out, by the name of its variable.
// RUN: %memshape predict %t.o --operator logged --shape n=100 --json | FileCheck %s --check-prefix=LOGGED
// RUN: %memshape predict %t.0.o --operator logged --shape n=100 --json | FileCheck %s --check-prefix=LOGGED
// LOGGED: "peak_bytes": 400,
// LOGGED-NEXT: "lower_bytes": 400,
// LOGGED-NEXT: "upper_bytes": null,
// LOGGED-NEXT: "exact": false,
// LOGGED: "symbol": "listener",
// LOGGED-NEXT: "treatment": "dropped",
// LOGGED: "code": "anybodys_function"

#include <memshape/operator.h>
#include <stdlib.h>

MEMSHAPE_OPERATOR
void applied(int n, float (*f)(float), float *y) {
  float *Copy = malloc((size_t)n * sizeof(float));
  for (int I = 0; I < n; ++I)
    Copy[I] = f(y[I]);
  for (int I = 0; I < n; ++I)
    y[I] = Copy[n - 1 - I];
  free(Copy);
}

MEMSHAPE_OPERATOR
void unused(int n, float (*f)(float), float *y) {
  float *Copy = malloc((size_t)n * sizeof(float));
  for (int I = 0; I < n; ++I)
    Copy[I] = 2 * y[I];
  for (int I = 0; I < n; ++I)
    y[I] = Copy[n - 1 - I];
  free(Copy);
  (void)f;
}

static void silent(const char *text) { (void)text; }
static void (*listener)(const char *) = silent;
void setListener(void (*f)(const char *)) { listener = f; }

MEMSHAPE_OPERATOR
void logged(int n, float *y) {
  float *Copy = malloc((size_t)n * sizeof(float));
  for (int I = 0; I < n; ++I)
    Copy[I] = 2 * y[I];
  listener("halfway");
  for (int I = 0; I < n; ++I)
    y[I] = Copy[n - 1 - I];
  free(Copy);
}
