// A library that nobody instruments.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <stdlib.h>

double closed_energy(const float *data, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i)
    sum += data[i] * data[i];
  return sum;
}

/* Works in place, in a workspace of its own. */
void closed_smooth(float *data, int n) {
  float *before = (float *)malloc((size_t)n * sizeof(float));
  for (int i = 0; i < n; ++i)
    before[i] = data[i];
  for (int i = 1; i < n; ++i)
    data[i] = (before[i] + before[i - 1]) / 2;
  free(before);
}

/* A transform: with a workspace of length -1 it only says how long a workspace it wants. */
void closed_transform(float *data, const int *n, float *work, const int *length) {
  if (*length == -1) {
    work[0] = (float)(*n * 3 + 16);
    return;
  }
  for (int i = 0; i < *length; ++i)
    work[i] = data[i % *n];
}

/* Fails where data holds a zero. */
void closed_factor(float *data, int n, int *status) {
  *status = 0;
  for (int i = 0; i < n; ++i)
    if (data[i] == 0)
      *status = i + 1;
}

void *closed_get(int arena, size_t bytes) {
  (void)arena;
  return malloc(bytes);
}

void closed_put(int arena, void *block) {
  (void)arena;
  free(block);
}

/* The same under another name, as wrappers of a library are called. */
double again_closed_energy(const float *data, int n) { return closed_energy(data, n); }

/* May allocate, depending on its data. */
void closed_trend(float *data, int n) {
  if (n > 0 && data[0] > 1e30F)
    free(malloc((size_t)n));
}

/* Gives up where it cannot go on, as numerical libraries do. */
int closed_invert(float *data, int n) {
  for (int i = 0; i < n; ++i) {
    if (data[i] == 0)
      abort();
    data[i] = 1 / data[i];
  }
  return n;
}
