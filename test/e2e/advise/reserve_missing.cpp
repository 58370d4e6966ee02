// ceph/ceph#26478: candidates are collected by push_back, and how many there may be is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <vector>

OPERATOR double regressed(const double *in, long n, long m) {
  std::vector<double> candidates, order(n);
  for (long i = 0; i < n * m; ++i)
    candidates.push_back(in[i % n]); // advice: reserve
  return candidates[n] + order[0];
}
OPERATOR double fixed(const double *in, long n, long m) {
  std::vector<double> candidates, order(n);
  candidates.reserve(n * m);
  for (long i = 0; i < n * m; ++i)
    candidates.push_back(in[i % n]);
  return candidates[n] + order[0];
}
