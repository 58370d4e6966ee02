// An operator that calls functions in C, Fortran and Rust; and a program that counts its second call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../hostile/counting.h"
#include <cstdio>
#include <cstdlib>
#include <memshape/operator.h>
#include <vector>

extern "C" {
double tripled(const float *x, int n);
void reversed_(const float *x, const int *n, double *sum);
double pushed(const float *x, unsigned long n);
}

MEMSHAPE_OPERATOR
double all(const float *x, int n) {
  std::vector<float> copy(x, x + n);
  double sum = 0;
  reversed_(copy.data(), &n, &sum);
  return sum + tripled(copy.data(), n) + pushed(copy.data(), static_cast<unsigned long>(n));
}

int main(int, char **argv) {
  const int n = std::atoi(argv[1]);
  const std::vector<float> x(static_cast<std::size_t>(n), 1.5F);
  volatile double sum = all(x.data(), n);
  counting_begin();
  sum = all(x.data(), n);
  const requested found = counting_end();
  std::printf("%ld %ld %ld %ld\n", found.peak, found.total, found.requests, found.left);
}
