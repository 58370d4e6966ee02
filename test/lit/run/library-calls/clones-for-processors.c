// One body compiled for several processors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program takes a clone when it starts. All request the same, whichever it is, and so does what they call.
//
// RUN: %clang -O2 -fplugin-arg-memshape-operator=scaled %operator
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=3 -- 3
// RUN: %clang -O0 -fplugin=%plugin -fplugin-arg-memshape-operator=scaled -I%include -c %s -o %t-0.o
// RUN: %clang %t-0.o -o %t-0
// RUN: %compare %t-0 --shape n=100 -- 100
// RUN: %predict --shape n=100 | %says "peak heap {{.*}} 1,204 bytes exact" "formula 12*n + 4"

#include "../Inputs/twice.h"

__attribute__((target_clones("avx2", "avx512f", "default"))) static float norm(const float *in, int n) {
  float *squares = malloc(2 * n * sizeof(float)), sum = 0;
  for (int i = 0; i < n; ++i)
    squares[2 * i] = squares[2 * i + 1] = in[i] * in[i];
  for (int i = 0; i < 2 * n; ++i)
    sum += squares[i];
  free(squares);
  return sum;
}

__attribute__((target_clones("avx2", "avx512f", "default"))) float scaled(const float *in, int n) {
  float *copy = malloc((n + 1) * sizeof(float));
  for (int i = 0; i <= n; ++i)
    copy[i] = 2 * in[i % n];
  float result = norm(copy, n) + copy[n];
  free(copy);
  return result;
}

TWICE(sink = scaled(data, number(1)))
