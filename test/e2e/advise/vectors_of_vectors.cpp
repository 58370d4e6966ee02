// verilog-to-routing/vtr-verilog-to-routing#1295: rows of equal length are vectors of their own, and not one flat matrix.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <vector>

OPERATOR double regressed(const double *in, long n, long m) {
  std::vector<std::vector<double>> delays(n, std::vector<double>()); // advice: without
  for (long i = 0; i < n; ++i)
    delays[i].assign(m, in[i]);
  return delays[n - 1][m - 1];
}
OPERATOR double fixed(const double *in, long n, long m) {
  std::vector<double> delays(n * m);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      delays[i * m + j] = in[i];
  return delays[n * m - 1];
}
