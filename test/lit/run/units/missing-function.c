// No headline without what a function takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a function without a body allocates would be missing from the answer, which nobody would see in its number.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: not %predict --shape n=100 2>&1 | FileCheck %s
// CHECK: memshape: no answer for 'smooth' at this shape: it calls 'weights', defined in none of the given files, and what it
// CHECK-SAME: allocates would be missing; name the file or library that holds it, too, or say with --summaries what it does
//
// A pointer has no name, but a place:
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -DPOINTER -c %s -o %t.pointer.o
// RUN: not %memshape predict %t.pointer.o --shape n=100 2>&1 | FileCheck --check-prefix=POINTER %s
// POINTER: it calls 'a function pointer' at missing-function.c:[[#@LINE+43]], whose target is not known
//
// One that is defined weakly, or that a resolver chooses, may be another one in the program:
// RUN: %clang -std=c11 -O0 -fplugin=%plugin -I%include -DREPLACEABLE -c %s -o %t.weak.o
// RUN: not %memshape predict %t.weak.o --operator smooth --shape n=100 2>&1 | FileCheck --check-prefix=WEAK %s
// RUN: not %memshape predict %t.weak.o --operator chosen --shape n=100 2>&1 | FileCheck --check-prefix=CHOSEN %s
// WEAK: it calls 'weights', which the given files define weakly or by a resolver, so that another function may take its
// CHOSEN: it calls 'best', which the given files define weakly or by a resolver, so that another function may take its
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -DWEIGHTS -c %s -o %t.weights.o
// RUN: %clang %t.o %t.weights.o -o %t
// RUN: %compare %t --object "%t.o %t.weights.o" --shape n=100 -- 100
//
// As a library that is not compiled with the flag, it is executed for real in a run of the operator:
// RUN: %clang -std=c11 -O2 -fPIC -shared -I%include -DWEIGHTS %s -o %t.so
// RUN: %clang %t.o %t.so -o %t.linked
// RUN: %compare %t.linked --shape n=100 --bounds 0..none --because no_skeleton -- 100
// RUN: %memshape predict %t.linked --shape n=100 --json | %says '"lower_bytes": 0' '"unknown": []'

#include <stdlib.h>
#ifdef POINTER
extern float *(*weights)(int n);
#else
float *weights(int n);
#endif

#ifdef WEIGHTS
float *weights(int n) {
  float *made = (float *)malloc(16 * (size_t)n);
  for (int i = 0; i < n; ++i)
    made[i] = 1.0f / (float)(i + 1);
  return made;
}
#else
#include "../Inputs/twice.h"
#include <pthread.h>
#include <stdio.h>

MEMSHAPE_OPERATOR
void smooth(const float *in, int n, float *out) {
  pthread_mutex_t busy;
  pthread_mutex_init(&busy, 0);
  pthread_mutex_lock(&busy);
  float *taps = weights(n);
  out[0] = in[0] * taps[n / 2];
  free(taps);
  pthread_mutex_unlock(&busy);
  pthread_mutex_destroy(&busy);
}

#ifdef REPLACEABLE
__attribute__((weak)) float *weights(int n) { return malloc(n); }

static void *taken(int n) { return malloc(n); }
static void *(*resolver(void))(int) { return taken; }
void *best(int n) __attribute__((ifunc("resolver")));
MEMSHAPE_OPERATOR void chosen(int n) { free(best(n)); }
#endif

TWICE(smooth(data, (int)number(1), more))
#endif
