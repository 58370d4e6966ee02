// OPM/ResInsight#7416: summary values are held as double, and float is enough.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <vector>

OPERATOR double regressed(const float *in, long n, long m) {
  std::vector<double> values(n * m); // advice: thin
  for (long i = 0; i < n * m; ++i)
    values[i] = in[i % n];
  std::vector<int> steps(n);
  for (long i = 0; i < n; ++i)
    steps[i] = int(values[i * m]);
  return steps[n - 1] + values[n];
}
OPERATOR double fixed(const float *in, long n, long m) {
  std::vector<float> values(n * m);
  for (long i = 0; i < n * m; ++i)
    values[i] = in[i % n];
  std::vector<int> steps(n);
  for (long i = 0; i < n; ++i)
    steps[i] = int(values[i * m]);
  return steps[n - 1] + values[n];
}
