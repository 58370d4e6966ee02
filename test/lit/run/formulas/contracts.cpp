// Promises of the source are held against its code: proven, refuted with a shape, or told as what was tried.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang++ -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: not %memshape check --contracts %t.o > %t.txt
// RUN: FileCheck %s < %t.txt
// RUN: %clang++ -std=c++20 -O2 -fplugin=%plugin -I%include -DKEPT -c %s -o %t.kept.o
// RUN: %memshape check --contracts %t.kept.o | FileCheck %s --check-prefix=KEPT
// Without the plugin a promise leaves nothing in the object.
// RUN: %clang++ -std=c++20 -O2 -I%include -DKEPT -c %s -o %t.plain.o
// RUN: not grep -q memshape.contract %t.plain.o

#include <cstdlib>
#include <memshape/operator.h>
#include <vector>

// KEPT-DAG: note: means: keeps its promise of at most 4*nx*ns + 64 for 1 <= nx, ns <= {{[0-9]+}}
MEMSHAPE_OPERATOR MEMSHAPE_AT_MOST("4*nx*ns + 64")
void means(const float *in, int nx, int ns, float *out) {
  std::vector<float> sums(ns);
  for (int x = 0; x < nx; ++x)
    for (int s = 0; s < ns; ++s)
      out[x] = sums[s] += in[x * ns + s];
}

// KEPT-DAG: note: doubled: keeps its promise of exactly 2*in.bytes for 1 <= in.size <= {{[0-9]+}}
MEMSHAPE_OPERATOR MEMSHAPE_EXACTLY("2*in.bytes")
std::vector<double> doubled(const std::vector<double> &in) {
  std::vector<double> twice(2 * in.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    twice[i] = in[i];
  return twice;
}

// Rounded sizes have no polynomial.
// KEPT-DAG: note: blocks: keeps its promise of at most 8*n + 64 at {{[0-9]+}} shapes; others were not proven: its formula is no polynomial:
MEMSHAPE_OPERATOR MEMSHAPE_AT_MOST("8*n + 64")
void *blocks(int n) { return std::malloc((n + 7) / 8 * std::size_t(64)); }

// KEPT: memshape check: 3 contracts of {{[0-9]+}} operators, all kept

#ifndef KEPT
// CHECK-DAG: contracts.cpp:[[@LINE+2]]: error: copied: promises at most 4*n, 4 B at n=1, and takes 8 B there [contract]
MEMSHAPE_OPERATOR MEMSHAPE_AT_MOST("4*n")
void copied(const float *in, int n, float *out) {
  std::vector<float> a(in, in + n), b(a);
  for (int i = 0; i < n; ++i)
    out[i] = a[i] + b[n - 1 - i];
}

// Only large shapes break it.
// CHECK-DAG: error: squares: promises at most 4000*n, {{[0-9,]+}} B at n={{[0-9]+}}, and takes
MEMSHAPE_OPERATOR MEMSHAPE_AT_MOST("4000*n")
void *squares(int n) { return std::malloc(4 * std::size_t(n) * n); }

// CHECK-DAG: error: loose: promises exactly 4*n, 4 B at n=1, and takes 8 B there
MEMSHAPE_OPERATOR MEMSHAPE_EXACTLY("4*n")
void *loose(int n) { return std::malloc(8 * std::size_t(n)); }

// CHECK-DAG: error: chosen: promises at most 8*n, and nothing bounds its peak at n={{[0-9]+}}
MEMSHAPE_OPERATOR MEMSHAPE_AT_MOST("8*n")
void *chosen(const long *sizes, int n) { return std::malloc(std::size_t(sizes[n])); }

// CHECK-DAG: error: misspelt: promises at most 8*m, which has no value at n=1: it may name n
MEMSHAPE_OPERATOR MEMSHAPE_AT_MOST("8*m")
void *misspelt(int n) { return std::malloc(8 * std::size_t(n)); }

// CHECK-DAG: error: noFormula: promises at most 8*(, which is no formula:
MEMSHAPE_OPERATOR MEMSHAPE_AT_MOST("8*(")
void *noFormula(int n) { return std::malloc(8 * std::size_t(n)); }

// CHECK: memshape check: 9 contracts of {{[0-9]+}} operators, 6 errors
#endif
