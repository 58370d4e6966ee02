// CARTAvis/carta-backend#85, as C code does it: an array doubles by realloc, and its length is known.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "case.h"
#include <cstdlib>

OPERATOR double regressed(const double *in, long n, long m) {
  double *table = static_cast<double *>(std::malloc(8 * sizeof(double)));
  double *index = static_cast<double *>(std::calloc(n, sizeof(double)));
  long used = 0, room = 8;
  for (long i = 0; i < n * m; ++i) {
    if (used == room)
      table = static_cast<double *>(std::realloc(table, (room *= 2) * sizeof(double))); // advice: reserve
    table[used++] = in[i % n];
  }
  const double last = table[used - 1] + index[0];
  std::free(index);
  std::free(table);
  return last;
}
OPERATOR double fixed(const double *in, long n, long m) {
  double *table = static_cast<double *>(std::malloc(n * m * sizeof(double)));
  double *index = static_cast<double *>(std::calloc(n, sizeof(double)));
  long used = 0;
  for (long i = 0; i < n * m; ++i)
    table[used++] = in[i % n];
  const double last = table[used - 1] + index[0];
  std::free(index);
  std::free(table);
  return last;
}
