// Counts and tables that data index.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <algorithm>

BOUND_OPERATOR long buckets(const int *X, int n) {
  std::vector<std::vector<int>> Bucket(16);
  for (int I = 0; I < n; ++I)
    Bucket[X[I] & 15].push_back(I);
  return long(Bucket[0].size());
}

BOUND_OPERATOR long buckets_by_remainder(const int *X, int n) {
  std::vector<std::vector<int>> Bucket(static_cast<std::size_t>(n));
  for (int I = 0; I < n; ++I)
    Bucket[unsigned(X[I]) % unsigned(n)].push_back(X[I]);
  return long(Bucket[0].size());
}

BOUND_OPERATOR long counting_sort(const int *X, int n) {
  std::vector<int> Count(257), Sorted(static_cast<std::size_t>(n));
  for (int I = 0; I < n; ++I)
    ++Count[(X[I] & 255) + 1];
  for (int I = 0; I < 256; ++I)
    Count[I + 1] += Count[I];
  for (int I = 0; I < n; ++I)
    Sorted[Count[X[I] & 255]++] = X[I];
  return Sorted[0];
}

BOUND_OPERATOR long largest_row(const int *X, int n) {
  std::vector<int> Length(static_cast<std::size_t>(n));
  for (int I = 0; I < n; ++I)
    ++Length[unsigned(X[I]) % unsigned(n)];
  const int Most = *std::max_element(Length.begin(), Length.end());
  std::vector<double> Row(static_cast<std::size_t>(Most));
  return filled(Row.data(), Row.size(), X);
}

BOUND_OPERATOR long compressed_rows(const int *X, int n) {
  long Kept = 0;
  for (int I = 0; I < n; ++I)
    Kept += X[I] != 0;
  int *Column = static_cast<int *>(std::malloc(std::size_t(Kept) * sizeof(int)));
  double *Value = static_cast<double *>(std::malloc(std::size_t(Kept) * sizeof(double)));
  long At = 0;
  for (int I = 0; I < n; ++I)
    if (X[I] != 0) {
      Column[At] = I;
      Value[At++] = X[I];
    }
  Kept += filled(Value, std::size_t(At), X) + filled(Column, std::size_t(At), X);
  std::free(Value);
  std::free(Column);
  return Kept;
}

SAMPLES(int, buckets, buckets_by_remainder, counting_sort, largest_row, compressed_rows)
