// Structures of numbers that are read.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pointer to one constant structure of numbers is an object: options and extents have symbols. An array of such
// structures, and one that is written, are tensors.
//
// RUN: %clang -std=c11 -O2 -fplugin-arg-memshape-operator=envelope %operator
// RUN: %compare %t --shape n=100,option.fft_size=64 --set option.floor=3,option.kind=2 -- 100 64
// RUN: %memshape predict %t --shape n=100,option.fft_size=64 --set option.floor=3,option.kind=2 | FileCheck %s
// CHECK: peak heap {{.*}} 1,568 bytes exact
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=spread -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | %says "peak heap {{.*}} 800 bytes exact"
//
// Numbers alone are options, too, where their members are read. One that decides no bytes need not be given.
//
// RUN: %clang -std=c11 -O2 -fplugin=%plugin -fplugin-arg-memshape-operator=frames -I%include -c %s -o %t.o
// RUN: %predict --shape n=1000 --set tuning.period=5 | %says "peak heap {{.*}} 1,600 bytes exact"
// RUN: not %predict --shape n=1000 2>&1 | %says "setting missing for operator 'frames': tuning.period (--set tuning.period=...)"

#include "../Inputs/twice.h"

enum window { FLAT, HANN, NUTTALL };

struct option {
  double floor;
  int fft_size;
  enum window kind;
};

struct pixel {
  int row, column;
};

struct tuning {
  double period, gain;
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

double frames(const double *in, int n, const struct tuning *tuning) {
  const int count = (int)(n / tuning->period);
  double *sums = malloc(count * sizeof(double));
  kept = sums;
  for (int i = 0; i < count; ++i)
    kept[i] = in[i] * tuning->gain;
  const double out = kept[count - 1];
  free(sums);
  return out;
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
