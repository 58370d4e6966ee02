// seung-lab/fastremap#3: an array is transposed through a copy, where it could be done in place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <vector>

OPERATOR double regressed(const double *in, long n) {
  std::vector<double> image(n * n);
  for (long i = 0; i < n * n; ++i)
    image[i] = in[i % n];
  std::vector<double> transposed(n * n); // advice: without
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < n; ++j)
      transposed[j * n + i] = image[i * n + j];
  image.swap(transposed);
  return image[n] + image[1];
}
OPERATOR double fixed(const double *in, long n) {
  std::vector<double> image(n * n);
  for (long i = 0; i < n * n; ++i)
    image[i] = in[i % n];
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < i; ++j) {
      const double other = image[j * n + i];
      image[j * n + i] = image[i * n + j];
      image[i * n + j] = other;
    }
  return image[n] + image[1];
}
