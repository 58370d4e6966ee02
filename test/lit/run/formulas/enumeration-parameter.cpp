// Enumerations are settings.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A parameter that is an enumeration is a setting: its number is given. It may be negative.
//
// RUN: %clangxx -std=c++17 -O2 %operatorxx
// RUN: %compare %t --shape n=100 --set kind=3,edge=-1 -- 100 3 -1
// RUN: %compare %t --shape n=100 --set kind=0,edge=2 -- 100 0 2
// RUN: not %memshape predict %t --shape n=100 --set kind=1 2>&1 | FileCheck %s
// CHECK: setting missing for operator 'padded': edge

#include "../Inputs/twice.h"

enum Kind { Float, Double, Half, Complex };
enum class Edge : short { Cut = -1, Keep, Mirror = 2 };

static const int bytes_of[] = {4, 8, 2, 8};

MEMSHAPE_OPERATOR
void padded(const float *in, int n, Kind kind, Edge edge) {
  char *work = static_cast<char *>(malloc(bytes_of[kind] * (n + 10 * static_cast<int>(edge))));
  for (int i = 0; i < n; ++i)
    work[i] = in[i] > 0;
  sink = work[n / 2];
  free(work);
}

TWICE(padded(data, number(1), static_cast<Kind>(number(2)), static_cast<Edge>(number(3))))
