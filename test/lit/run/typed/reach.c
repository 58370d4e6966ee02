// How far an operator reads and writes through its pointers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What loops come to follows from the shape, and is the pointer's size; what data chooses has none.
//
// RUN: %clang -std=c11 -O2 %s -c -o %t.o -fplugin=%plugin -fplugin-arg-memshape-operator='*'
// RUN: %python %S/../Inputs/reach.py %memshape %t.o backwards centred copied covariance histogram looked_up smooth sums | FileCheck %s
// RUN: %clang -std=c11 -O0 %s -c -o %t.o -fplugin=%plugin -fplugin-arg-memshape-operator='*'
// RUN: %python %S/../Inputs/reach.py %memshape %t.o backwards centred copied covariance histogram looked_up smooth sums | FileCheck %s

#include <stddef.h>
#include <string.h>

// CHECK: backwards x=400:4*n out=400:4*n
void backwards(const int *x, int n, int *out) {
  for (int i = n; i-- > 0;)
    *out++ = x[i];
}

// The pointer leads into the middle: what lies in front of it counts.
// CHECK: centred x=480:4*n + 8*m out=400:4*n
void centred(const float *x, int n, int m, float *out) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = -m; k <= m; ++k)
      sum += x[i + k];
    out[i] = sum;
  }
}

// CHECK: copied x=200:2*n out=210:2*n + 10
void copied(const short *x, size_t n, short *out) {
  memcpy(out, x, n * sizeof *x);
  memset(out + n, 0, 10);
}

// CHECK: covariance x=8000:8*n*m out=800:8*m^2
void covariance(const double *x, int n, int m, double *out) {
  for (int a = 0; a < m; ++a)
    for (int b = 0; b < m; ++b) {
      double sum = 0;
      for (int i = 0; i < n; ++i)
        sum += x[i * m + a] * x[i * m + b];
      out[a * m + b] = sum / n;
    }
}

// What an element is read for may be data: any of its values has a bin.
// CHECK: histogram x=100:n out=1024:1024
void histogram(const unsigned char *x, int n, int *out) {
  for (int i = 0; i < n; ++i)
    out[x[i]]++;
}

// CHECK: looked_up table=None:None x=400:4*n out=400:4*n
void looked_up(const float *table, const int *x, int n, float *out) {
  for (int i = 0; i < n; ++i)
    out[i] = table[x[i]];
}

// CHECK: smooth x=400:4*n out=396:4*n - 4
void smooth(const float *x, int n, float *out) {
  for (int i = 1; i < n - 1; ++i)
    out[i] = (x[i - 1] + x[i] + x[i + 1]) / 3;
}

// Through a function that is not inlined nothing is known.
__attribute__((noinline)) static float sum_of(const float *row, int m) {
  float sum = 0;
  for (int j = 0; j < m; ++j)
    sum += row[j];
  return sum;
}

// CHECK: sums x=4000:4*n*m out=400:4*n
void sums(const float *x, int n, int m, float *out) {
  for (int i = 0; i < n; ++i)
    out[i] = sum_of(x + (size_t)i * m, m);
}
