// Conditions of what is sliced late.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An operator of two units is sliced for the prediction, by a process that reads no sources; its conditions are those of
// the sources all the same.
//
// RUN: %clang -std=c11 -O2 -g -fplugin=%plugin -I%include -DOTHER -c %s -o %t.other.o
// RUN: %clang -std=c11 -O2 -g -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict %t.other.o --shape n=50 --json | %says '"condition": "in[0] > 7"'

#include <memshape/operator.h>
#include <stdlib.h>

void twice(const int *in, int n, int *out);

#ifdef OTHER
void twice(const int *in, int n, int *out) {
  int *work = malloc(sizeof *work * (size_t)n);
  if (in[0] > 7) {
    int *more = malloc(sizeof *more * (size_t)n);
    more[n / 2] = in[1];
    out[1] = more[in[2] & 1];
    free(more);
  }
  work[n / 2] = in[1];
  out[0] = work[in[2] & 1];
  free(work);
}
#else
MEMSHAPE_OPERATOR
void caller(const int *in, int n, int *out) { twice(in, n, out); }
#endif
