// Shopify/heap-profiler#23: a whole file is read before it is looked at, where parts of a fixed size would do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// chunks: n=16
#include "case.h"
#include <vector>

OPERATOR double regressed(const double *in, long n, long m) {
  std::vector<double> totals(m);
  std::vector<double> rows(n * m); // advice: chunk
  for (long i = 0; i < n * m; ++i)
    rows[i] = in[i % n] * double(i);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      totals[j] += rows[i * m + j];
  return totals[m - 1];
}
OPERATOR double fixed(const double *in, long n, long m) {
  std::vector<double> totals(m);
  const long part = n < 16 ? n : 16;
  std::vector<double> rows(part * m);
  for (long first = 0; first < n; first += part) {
    const long some = n - first < part ? n - first : part;
    for (long i = 0; i < some * m; ++i)
      rows[i] = in[i % n] * double(first * m + i);
    for (long i = 0; i < some; ++i)
      for (long j = 0; j < m; ++j)
        totals[j] += rows[i * m + j];
  }
  return totals[m - 1];
}
