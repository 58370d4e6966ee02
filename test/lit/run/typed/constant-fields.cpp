// Members that are constants.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the constructor of a class gives a constant, the object has. A constant of a structure without constructors is a
// symbol, as its other members.
//
// RUN: %held -std=c++17 -O2 -fplugin-arg-memshape-operator=assembled -fplugin-arg-memshape-operator=padded
// HELD assembled e.count=100 -- 100
// HELD padded g.n=100,g.halo=3 -- 100 3

#include "../Inputs/twice.h"

struct Element {
  Element() : nodes(8), count(0) {}
  const size_t nodes;
  int count;
  double *values;
};

double assembled(Element &e) {
  double *sums = static_cast<double *>(calloc(e.nodes * size_t(e.count), sizeof(double)));
  for (int i = 0; i < e.count; ++i)
    sums[i * e.nodes] = e.values[i];
  const double last = sums[e.nodes * size_t(e.count) / 2];
  free(sums);
  return last;
}

struct Grid {
  int n;
  const int halo;
  const float *const samples;
};

float padded(const Grid *g) {
  float *all = static_cast<float *>(malloc(size_t(g->n + 2 * g->halo) * sizeof(float)));
  for (int i = 0; i < g->n; ++i)
    all[i + g->halo] = g->samples[i];
  const float last = all[g->n / 2 + g->halo];
  free(all);
  return last;
}

static double assembledOf(double *values) {
  Element e;
  e.count = int(number(1));
  e.values = values;
  return assembled(e);
}
static float paddedOf(const float *samples) {
  const Grid g = {int(number(1)), int(number(2)), samples};
  return padded(&g);
}
TWICE_OF(assembled, sink = assembledOf(more_storage))
TWICE_OF(padded, sink = paddedOf(data))
