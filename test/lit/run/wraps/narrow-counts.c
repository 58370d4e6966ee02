// Counts of sizes in types that are too narrow for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %clang -std=c11 -O0 -fplugin=%plugin -I%include -c %s -o %t.0.o
// RUN: %wraps %t.0.o %s
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -I%include -c %s -o %t.2.o
// RUN: %wraps %t.2.o %s

#include <memshape/operator.h>
#include <stdint.h>
#include <stdlib.h>

// WRAPS in_16_bits count*sizeof(float) 16 unsigned w=256,h=256
MEMSHAPE_OPERATOR
void *in_16_bits(int w, int h) {
  uint16_t count = w * h;
  return malloc(count * sizeof(float));
}

// WRAPS in_a_short count*4 16 signed n=32768
MEMSHAPE_OPERATOR
void *in_a_short(int n) {
  short count = n;
  return malloc(count * 4);
}

// WRAPS in_an_int bytes 32 signed n=2147483648
MEMSHAPE_OPERATOR
void *in_an_int(size_t n) {
  int bytes = n;
  return malloc(bytes);
}

// A mask is meant.
// SILENT masked w=100000,h=100000
MEMSHAPE_OPERATOR
void *masked(unsigned w, unsigned h) { return malloc(((size_t)w * h & 0xffff) * sizeof(float)); }

// SILENT chosen w=100000
MEMSHAPE_OPERATOR
void *chosen(int w) {
  uint16_t count = w < 60000 ? w : 60000;
  return malloc(count * sizeof(float));
}
