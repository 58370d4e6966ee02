// Formulas that were found before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An answer is the same without a cache, with a new one, with a filled one and with a damaged one; and at a shape where
// another phase is the greatest.
//
// RUN: %clangxx -std=c++20 -O2 -gline-tables-only -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: rm -rf %t.cache && mkdir %t.cache
// RUN: env MEMSHAPE_CACHE=off %predict --shape n=100,m=7 --json | grep -v time_us > %t.without
// RUN: env MEMSHAPE_CACHE=%t.cache %predict --shape n=100,m=7 --json | grep -v time_us > %t.new
// RUN: env MEMSHAPE_CACHE=%t.cache %predict --shape n=100,m=7 --json | grep -v time_us > %t.filled
// RUN: diff %t.without %t.new
// RUN: diff %t.without %t.filled
// RUN: env MEMSHAPE_CACHE=off %predict --shape n=3,m=700 --json | grep -v time_us > %t.without
// RUN: env MEMSHAPE_CACHE=%t.cache %predict --shape n=3,m=700 --json | grep -v time_us > %t.filled
// RUN: diff %t.without %t.filled
// RUN: FileCheck %s < %t.filled
// RUN: find %t.cache -type f -exec truncate -s 40 {} +
// RUN: env MEMSHAPE_CACHE=%t.cache %predict --shape n=3,m=700 --json | grep -v time_us > %t.damaged
// RUN: diff %t.without %t.damaged
// CHECK: "exact": true
// CHECK: "peak": "8*n + max({{.*}})",

#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
double phases(const double *in, int n, int m) {
  std::vector<double> kept(in, in + n);
  double sum = 0;
  {
    std::vector<double> square((long)n * n, in[0]);
    sum += square[n];
  }
  std::vector<double> other(in, in + 3 * m);
  return sum + kept[n / 2] + other[m];
}
