// Arrays and containers whose number of elements wraps.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clangxx -O0 -fplugin=%plugin -I%include -c %s -o %t.0.o
// RUN: %wraps %t.0.o %s
// RUN: %clangxx -O2 -fplugin=%plugin -I%include -c %s -o %t.2.o
// RUN: %wraps %t.2.o %s

#include <cstdlib>
#include <memshape/operator.h>
#include <vector>

// The compiler asks itself whether n * 8 fits, and new throws.
// SILENT array n=100000
MEMSHAPE_OPERATOR
double *array(size_t n) { return new double[n]; }

// WRAPS picture w*h 32 signed w=46341,h=46341
MEMSHAPE_OPERATOR
double *picture(int w, int h) { return new double[w * h]; }

// A product below zero is refused, one beyond 2^32 is not.
// WRAPS container w*h 32 signed w=46341,h=46341
MEMSHAPE_OPERATOR
std::vector<float> container(int w, int h) { return std::vector<float>(w * h); }

// SILENT grown n=10000
MEMSHAPE_OPERATOR
std::vector<float> grown(int n) {
  std::vector<float> values;
  for (int i = 0; i < n; ++i)
    values.push_back(float(i));
  return values;
}

// WRAPS shortened values.size()*k 32 signed n=46341,k=46341
MEMSHAPE_OPERATOR
void *shortened(size_t n, int k) {
  std::vector<float> values(n);
  int bytes = values.size() * k;
  return std::malloc(bytes);
}
