// Held symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The peak follows no law in ny and nz, which its formula holds at their values. The formula of the site holds them,
// too: no polynomial in them could be verified.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape nx=31,ny=30,nz=62 -- 31 30 62
// RUN: %memshape predict %t.o --shape nx=651,ny=951,nz=462 | FileCheck %s
//
// CHECK:      peak heap {{.*}} 1,089,789,624 bytes exact
// CHECK:      formula 1674024*nx
// CHECK-NEXT: verified at 500 other shapes, for 1 <= nx <= 2000; ny = 951; nz = 462
// CHECK:      At the peak
// CHECK-NEXT: 100.0 % {{.*}} scrambled 1674024*nx{{$}}

#include "../Inputs/twice.h"

MEMSHAPE_OPERATOR
float scrambled(int nx, int ny, int nz) {
  size_t words = (size_t)ny * (size_t)nz;
  words ^= words >> 3;
  float *planes = (float *)malloc(words * (size_t)nx * sizeof(float));
  for (size_t at = 0; at < words * (size_t)nx; ++at)
    planes[at] = (float)at * 0.5f;
  float middle = planes[words / 2];
  free(planes);
  return middle;
}

TWICE(sink = scrambled((int)number(1), (int)number(2), (int)number(3)))
