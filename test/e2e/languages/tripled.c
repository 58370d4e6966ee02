// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdlib.h>

double tripled(const float *x, int n) {
  double *all = malloc(3 * n * sizeof *all), sum = 0;
  for (int i = 0; i < 3 * n; ++i)
    all[i] = x[i % n];
  for (int i = 0; i < 3 * n; ++i)
    sum += all[3 * n - 1 - i];
  free(all);
  return sum;
}
