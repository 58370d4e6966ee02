//===- typed-options.c - Structures of numbers that are read --------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A pointer to one constant structure of numbers is an object: options and extents have symbols. An array of such
// structures, and one that is written, are tensors.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=envelope -I%include -c %s -o %t.o
// RUN: %clang %t.o -o %t
// RUN: %python %S/compare.py %memshape %t --shape n=100,option.fft_size=64 --set option.floor=3,option.kind=2 -- 100 64
// RUN: %memshape predict %t --shape n=100,option.fft_size=64 --set option.floor=3,option.kind=2 | FileCheck %s
// CHECK: peak heap {{.*}} 1,568 bytes exact
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=spread -I%include -c %s -o %t.o
// RUN: %memshape predict %t.o --shape n=100 | FileCheck --check-prefix=TENSOR %s
// TENSOR: peak heap {{.*}} 800 bytes exact

#include "Inputs/twice.h"

enum window { FLAT, HANN, NUTTALL };

struct option {
  double floor;
  int fft_size;
  enum window kind;
};

struct pixel {
  int row, column;
};

struct plan {
  int n;
  double (*spectrum)[2];
};

static double *volatile kept; // so that blocks are not optimised away

static void start(struct plan *p, int n) {
  p->n = n;
  p->spectrum = malloc(n * sizeof(*p->spectrum));
}

double envelope(const double *in, int n, const struct option *option) {
  struct plan p;
  start(&p, option->fft_size);
  double *window = malloc(option->fft_size * (option->kind == NUTTALL ? 8 : 4) + (long)(option->floor * 0) + 32);
  kept = p.spectrum[0];
  kept[0] = in[0] * n;
  kept = window;
  kept[0] = p.spectrum[0][0];
  double out = window[0];
  free(window);
  free(p.spectrum);
  return out;
}

double spread(const struct pixel *at, int n, struct pixel *most) {
  double *sums = malloc(n * sizeof(double));
  kept = sums;
  for (int i = 0; i < n; ++i)
    sums[i] = at[i].row + at[i].column;
  most->row = (int)sums[n - 1];
  double out = sums[0];
  free(sums);
  return out;
}

static double once(const float *from, int n, int fft_size) {
  struct option o = {3, fft_size, NUTTALL};
  double in[1] = {from[0]};
  return envelope(in, n, &o);
}

TWICE(sink = once(data, (int)number(1), (int)number(2)))
