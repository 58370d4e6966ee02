// softwareQinc/qpp#31: a state is copied before it is changed, where it could be changed in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <complex>
#include <vector>

using State = std::vector<std::complex<double>>;
static State applied(const State &state, double phase) {
  State result(state.size()); // advice: without
  for (std::size_t i = 0; i < state.size(); ++i)
    result[i] = state[i] * phase;
  return result;
}
OPERATOR double regressed(const double *in, long n, long m) {
  State state(n * m);
  for (long i = 0; i < n * m; ++i)
    state[i] = in[i % n];
  state = applied(state, in[0]);
  return state[n].real();
}
OPERATOR double fixed(const double *in, long n, long m) {
  State state(n * m);
  for (long i = 0; i < n * m; ++i)
    state[i] = in[i % n];
  for (std::complex<double> &each : state)
    each *= in[0];
  return state[n].real();
}
