// A tensor that may be absent.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A null pointer for a tensor decides about a buffer: no shape tells. A setting does.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 --bounds 400..1200 -- 100
// RUN: %compare %t --shape n=7 --bounds 28..84 -- 7
// RUN: %compare %t --shape n=100 --set weights.present=0 -- 100
// RUN: %memshape predict %t --shape n=100 --set weights.present=1 | FileCheck %s --implicit-check-not "Decisions"
// CHECK: weighted at n=100; weights.present=1
// CHECK: peak heap {{.*}} 1,200 bytes exact
// CHECK: formula 12*n
// RUN: %memshape predict %t --shape n=100 | FileCheck --check-prefix=OPEN %s
// OPEN: weights {{.*}} --set weights.present=0 or 1 says it

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float weighted(const float *in, const float *weights, int n) {
  float *copy = malloc(n * sizeof *copy);
  for (int i = 0; i < n; ++i)
    copy[i] = in[i];
  if (weights) {
    double *products = malloc(n * sizeof *products);
    for (int i = 0; i < n; ++i)
      products[i] = (double)copy[i] * weights[i];
    copy[0] = (float)products[n / 3];
    free(products);
  }
  float middle = copy[n / 2];
  free(copy);
  return middle;
}

TWICE(sink = weighted(data, NULL, number(1)))
