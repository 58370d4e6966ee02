// AztecProtocol/aztec-packages#8051: a large vector is passed by value, where a reference would do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <vector>

static double sum_of(std::vector<double> cycles, long n) {
  std::vector<double> mapping(n);
  for (long i = 0; i < n; ++i)
    mapping[i] = cycles[i] + cycles[cycles.size() - 1 - i];
  return mapping[n / 2] + mapping[0];
}
static double sum_of_reference(const std::vector<double> &cycles, long n) {
  std::vector<double> mapping(n);
  for (long i = 0; i < n; ++i)
    mapping[i] = cycles[i] + cycles[cycles.size() - 1 - i];
  return mapping[n / 2] + mapping[0];
}
OPERATOR double regressed(const double *in, long n, long m) {
  std::vector<double> cycles(in, in + n * m);
  const double sum = sum_of(cycles, n); // advice: without
  return sum + cycles[1];
}
OPERATOR double fixed(const double *in, long n, long m) {
  std::vector<double> cycles(in, in + n * m);
  const double sum = sum_of_reference(cycles, n);
  return sum + cycles[1];
}
