// Summaries of a library of the user's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nobody instruments the library. Without a summary its calls are not part of a skeleton: the operator is run itself, and
// the answer says so. With one the answer is exact, whether
// the summaries are there when the operator is compiled or only later.
//
// RUN: %clang -std=c11 -O1 -shared -fPIC %inputs/closed-library.c -o %t.library.so
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-summaries=%inputs/closed-library.json \
// RUN:   -I%include -c %s -o %t.o
// RUN: %clang %t.o %t.library.so -o %t
// RUN: %compare %t --shape n=1000 -- 1000
// RUN: %compare %t --shape n=37 -- 37
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.plain.o
// RUN: %clang %t.plain.o %t.library.so -o %t.plain
// RUN: %compare %t.plain --shape n=1000 --summaries %inputs/closed-library.json -- 1000
// RUN: %memshape predict %t.plain --shape n=1000 --json | FileCheck --check-prefix=WITHOUT %s
// WITHOUT: "exact": false
// WITHOUT: only a run executes

#include "../Inputs/twice.h"
#include <string.h>

double closed_energy(const float *data, int n);
double again_closed_energy(const float *data, int n);
void closed_smooth(float *data, int n);
void closed_transform(float *data, const int *n, float *work, const int *length);
void *closed_get(int arena, size_t bytes);
void closed_put(int arena, void *block);

MEMSHAPE_OPERATOR
void process(const float *in, int n, float *out) {
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

TWICE(process(data, (int)number(1), more))
