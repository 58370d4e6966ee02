// project-asgard/asgard#613: a vector that is not needed any more is copied instead of moved.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <vector>

struct State {
  std::vector<double> values;
};
OPERATOR double regressed(const double *in, long n, long m) {
  State next;
  std::vector<double> workspace(n);
  std::vector<double> result(n * m);
  for (long i = 0; i < n * m; ++i)
    result[i] = in[i % n] + workspace[i % n];
  next.values = result; // advice: move
  std::vector<double> residual(n);
  for (long i = 0; i < n; ++i)
    residual[i] = next.values[i] * in[i];
  return residual[n - 1] + next.values[n];
}
OPERATOR double fixed(const double *in, long n, long m) {
  State next;
  std::vector<double> workspace(n);
  std::vector<double> result(n * m);
  for (long i = 0; i < n * m; ++i)
    result[i] = in[i % n] + workspace[i % n];
  next.values = std::move(result);
  std::vector<double> residual(n);
  for (long i = 0; i < n; ++i)
    residual[i] = next.values[i] * in[i];
  return residual[n - 1] + next.values[n];
}
