// Exceptions that are caught.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <new>
#include <stdexcept>
#include <string>

static int checked(int Value) {
  if (Value < 0)
    throw std::invalid_argument("a negative value");
  return Value;
}

BOUND_OPERATOR long refused(const int *X, int n) {
  try {
    std::vector<int> Copy(static_cast<std::size_t>(n));
    for (int I = 0; I < n; ++I)
      Copy[I] = checked(X[I]);
    return Copy[0];
  } catch (const std::exception &) {
    return -1;
  }
}

BOUND_OPERATOR long out_of_range(const int *X, int n) {
  const std::vector<int> Table(static_cast<std::size_t>(n));
  long Missed = 0;
  for (int I = 0; I < n; ++I) {
    try {
      Missed += Table.at(std::size_t(X[I]));
    } catch (const std::out_of_range &) {
      ++Missed;
    }
  }
  return Missed;
}

BOUND_OPERATOR long first_throws(const int *X, int n) {
  std::vector<std::vector<int>> Rows;
  try {
    for (int I = 0; I < n; ++I) {
      if (X[I] == 99)
        throw I;
      Rows.emplace_back(4);
    }
  } catch (int) {
    Rows.clear();
  }
  return long(Rows.size());
}

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

BOUND_OPERATOR long with_own_text(const int *X, int n) {
  long Failed = 0;
  for (int I = 0; I < n; ++I)
    try {
      if (X[I] > 50)
        throw Failure("value " + std::to_string(X[I]) + " at " + std::to_string(I));
    } catch (const Failure &) {
      ++Failed;
    }
  return Failed;
}

SAMPLES(int, refused, out_of_range, first_throws, with_own_text)
