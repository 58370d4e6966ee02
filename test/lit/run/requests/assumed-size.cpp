// A size from data becomes a symbol.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The formula has a symbol for it, and --assume gives it a value. That it is a byte bounds it.
//
// RUN: %clangxx -std=c++20 -O2 -gline-tables-only %operatorxx
// RUN: %compare %t --shape n=100 --bounds 800..1820 -- 100
// RUN: %memshape predict %t --shape n=100 | FileCheck %s --check-prefix=OPEN
// RUN: %memshape predict %t --shape n=100 --assume k=7 | FileCheck %s --check-prefix=GIVEN
// RUN: not %memshape predict %t --shape n=100 --assume traces=7 2>&1 | FileCheck %s --check-prefix=STRANGE
// OPEN: peak heap{{.*}}1,820 bytes at most
// OPEN: formula{{.*}}8*n + 4*k
// OPEN: comes from data, which can make it anything within the bounds; --assume k=N gives it
// GIVEN: peak heap{{.*}}828 bytes
// GIVEN: formula{{.*}}8*n + 4*k
// STRANGE: memshape: operator 'sized' has no decision 'traces'; it has 1, counted from 0: k

#include "../Inputs/twice.h"
#include <cstring>

MEMSHAPE_OPERATOR
double sized(const unsigned char *counts, int n) {
  unsigned picks = counts[0];
  float *times = (float *)malloc(picks * sizeof(float));
  double *copy = (double *)malloc(n * sizeof(double));
  memcpy(times, counts, picks * sizeof(float));
  memcpy(copy, counts, n * sizeof(double));
  double result = times[picks / 2] + copy[n / 2];
  free(times);
  free(copy);
  return result;
}

TWICE(sink = sized((const unsigned char *)data, number(1)))
