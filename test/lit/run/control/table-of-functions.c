// Functions chosen from a table by the shape.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constant table of structures of functions, entered at an index that is computed.
//
// RUN: %clang -std=c11 -O2 %operator
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=3 -- 3

#include "../Inputs/twice.h"

struct method {
  float *(*make)(int);
  float (*run)(float *, const float *, int);
  void (*drop)(float *);
};

static float *make_long(int n) { return calloc(2 * n, sizeof(float)); }
static float run_long(float *state, const float *in, int n) {
  float *copy = malloc(n * sizeof(float));
  for (int i = 0; i < n; ++i)
    copy[i] = in[i] + state[2 * i];
  float result = copy[n / 2];
  free(copy);
  return result;
}
static void drop_long(float *state) { free(state); }

static float *make_short(int n) { return calloc(n, sizeof(float)); }
static float run_short(float *state, const float *in, int n) {
  for (int i = 0; i < n; ++i)
    state[i] += in[n - 1 - i];
  return state[n / 3];
}
static void drop_short(float *state) { free(state); }

static const struct method methods[] = {{make_long, run_long, drop_long}, {make_short, run_short, drop_short}};

MEMSHAPE_OPERATOR
float dispatch(const float *in, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    const struct method *chosen = &methods[i * i % 3 % 2];
    float *state = chosen->make(n + i);
    sum += chosen->run(state, in, n);
    chosen->drop(state);
  }
  return sum;
}

TWICE(sink = dispatch(data, number(1)))
