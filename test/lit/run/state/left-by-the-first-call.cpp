// What the first call alone does.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A static variable whose initialiser throws is not there for the next call, which tries again. A table that a team has
// counted depends on the size of the first call's team, although later calls have none.
//
// RUN: env OMP_NUM_THREADS=3 %held -std=c++20 -O2 -fopenmp
// HELD -DKIND=tried n=200 --bounds 0..332
// HELD -DKIND=counted n=200 --bounds 0..none --because earlier_calls
// HELD -DKIND=counted n=200 --threads 3

#include "../Inputs/taken.h"
#include "../Inputs/twice.h"

struct Refused {
  float value;
  explicit Refused(float first) : value(first) {
    if (first > -2)
      throw 3;
  }
};

static float tried(const float *in, int n) {
  try {
    static const Refused once(in[0]);
    return once.value;
  } catch (int) {
    return taken(in, n);
  }
}

static float counted(const float *in, int n) {
  static int threads;
  if (!threads) {
    int count = 0;
#pragma omp parallel
#pragma omp atomic
    ++count;
    threads = count;
  }
  return taken(in, n * threads);
}

MEMSHAPE_OPERATOR
float called(const float *in, int n) { return KIND(in, n); }
