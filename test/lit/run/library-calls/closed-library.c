// Summaries of a library of the user's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody instruments the library. Without a summary its calls are not part of a skeleton: the operator is run itself,
// and the answer says so. With one the answer is exact, whether the summaries are there when the operator is compiled or
// only later.
//
// RUN: %clang -std=c11 -O1 -shared -fPIC %inputs/closed-library.c -o %t.library.so
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.plain.o
// RUN: %clang %t.plain.o %t.library.so -o %t.plain
// RUN: %compare %t.plain --operator smoothed --shape n=1000 --summaries %inputs/closed-library.json -- smoothed 1000
// RUN: %memshape predict %t.plain --operator smoothed --shape n=1000 --json | %says '"exact": false' "only a run executes"
//
// RUN: %held -std=c11 -O2 -fplugin-arg-memshape-summaries=%inputs/closed-library.json %t.library.so

#include "../Inputs/twice.h"

// HELD smoothed n=1000 n=37
double closed_energy(const float *data, int n);
double again_closed_energy(const float *data, int n);
void closed_smooth(float *data, int n);
void closed_transform(float *data, const int *n, float *work, const int *length);
void *closed_get(int arena, size_t bytes);
void closed_put(int arena, void *block);

MEMSHAPE_OPERATOR
void smoothed(const float *in, int n, float *out) {
  float *copy = (float *)closed_get(1, (size_t)n * sizeof(float));
  memcpy(copy, in, (size_t)n * sizeof(float));
  closed_smooth(copy, n);
  float wanted = 0;
  int length = -1;
  closed_transform(copy, &n, &wanted, &length);
  length = (int)wanted;
  float *work = (float *)malloc((size_t)length * sizeof(float));
  closed_transform(copy, &n, work, &length);
  out[0] = (float)(closed_energy(copy, n) + again_closed_energy(copy, n)) + work[0];
  free(work);
  closed_put(1, copy);
}

TWICE_OF(smoothed, smoothed(data, (int)number(1), more))

// Success comes first. Whether a factorisation fails is up to the data: a decision. The answer that is taken first is
// that it does not.
// HELD factored n=1000 --bounds 4000..36000
// RUN: %memshape predict %t --operator factored --shape n=1000 --json | FileCheck --check-prefix=FACTORED %s
// FACTORED: "peak_bytes": 4000
// FACTORED: "upper_bytes": 36000
// FACTORED: the library call before it is taken to succeed
void closed_factor(float *data, int n, int *status);

MEMSHAPE_OPERATOR
void factored(const float *in, int n, float *out) {
  float *copy = (float *)malloc((size_t)n * sizeof(float));
  memcpy(copy, in, (size_t)n * sizeof(float));
  int status;
  closed_factor(copy, n, &status);
  if (status != 0) {
    double *again = (double *)malloc((size_t)n * 4 * sizeof(double));
    for (int i = 0; i < 4 * n; ++i)
      again[i] = copy[i % n] + 1;
    out[1] = (float)again[n];
    free(again);
  }
  out[0] = copy[0];
  free(copy);
}

TWICE_OF(factored, factored(data, (int)number(1), more))

// A call that is left out. A prediction has no data: a library that divides by it, or gives up on it, ends the attempt.
// The call is then left out, the answer says which one, and what the operator allocates around it is still counted.
// HELD deconvolved n=1000 --bounds 0..none --because left_out
// RUN: %memshape predict %t --operator deconvolved --shape n=1000 | FileCheck --check-prefix=LEFT-OUT %s
// LEFT-OUT: peak heap {{.*}} 12,000 bytes one run; no bound above
// LEFT-OUT: called for real, as installed on this machine: closed_trend{{$}}
// LEFT-OUT: not executed, so their memory is not counted: closed_invert (which fails on zeros)
void closed_trend(float *data, int n);
int closed_invert(float *data, int n);

MEMSHAPE_OPERATOR
void deconvolved(const float *in, int n, float *out) {
  float *copy = (float *)malloc((size_t)n * sizeof(float));
  memcpy(copy, in, (size_t)n * sizeof(float));
  closed_trend(copy, n);
  int status = closed_invert(copy, n);
  float *wide = (float *)malloc((size_t)n * sizeof(double));
  wide[0] = copy[0] + (float)status;
  closed_trend(wide, n);
  out[0] = wide[0];
  free(wide);
  free(copy);
}

TWICE_OF(deconvolved, deconvolved(data, (int)number(1), more))

TWICE_EACH
