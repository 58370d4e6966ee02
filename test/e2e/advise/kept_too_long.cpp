// CollaboraOnline/online#9986: a temporary buffer lives on while the next ones are filled.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <vector>

OPERATOR double regressed(const float *in, long n, long m) {
  double mean = 0;
  std::vector<float> decoded(n * m); // advice: close
  for (long i = 0; i < n * m; ++i)
    decoded[i] = in[i % n] * 0.5f;
  for (long i = 0; i < n * m; ++i)
    mean += decoded[i];
  std::vector<double> spectrum(n * m / 2);
  for (long i = 0; i < n * m / 2; ++i)
    spectrum[i] = mean * double(i);
  return spectrum[n];
}
OPERATOR double fixed(const float *in, long n, long m) {
  double mean = 0;
  {
    std::vector<float> decoded(n * m);
    for (long i = 0; i < n * m; ++i)
      decoded[i] = in[i % n] * 0.5f;
    for (long i = 0; i < n * m; ++i)
      mean += decoded[i];
  }
  std::vector<double> spectrum(n * m / 2);
  for (long i = 0; i < n * m / 2; ++i)
    spectrum[i] = mean * double(i);
  return spectrum[n];
}
