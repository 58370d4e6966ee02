// Text of numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <cstdio>
#include <string>

BOUND_OPERATOR long listed(const int *X, int n) {
  std::string Out;
  for (int I = 0; I < n; ++I) {
    Out += std::to_string(X[I]);
    Out += ',';
  }
  return long(Out.size());
}

BOUND_OPERATOR long each_as_text(const int *X, int n) {
  std::vector<std::string> All;
  for (int I = 0; I < n; ++I)
    All.push_back(std::to_string(X[I]));
  return long(All.size());
}

BOUND_OPERATOR long long_numbers(const int *X, int n) {
  std::vector<std::string> All;
  All.reserve(std::size_t(n));
  for (int I = 0; I < n; ++I)
    All.push_back(std::to_string(static_cast<long long>(X[I]) * 1000000007LL));
  return long(All.size());
}

BOUND_OPERATOR long in_hexadecimal(const int *X, int n) {
  std::string Out;
  char Text[16];
  for (int I = 0; I < n; ++I) {
    std::snprintf(Text, sizeof Text, "%x ", unsigned(X[I]));
    Out += Text;
  }
  return long(Out.size());
}

BOUND_OPERATOR long digits(const int *X, int n) {
  long Sum = 0;
  for (int I = 0; I < n; ++I) {
    std::vector<int> Digits;
    for (unsigned Left = unsigned(X[I]); Left; Left /= 10)
      Digits.push_back(int(Left % 10));
    Sum += long(Digits.size());
  }
  return Sum;
}

SAMPLES(int, listed, each_as_text, long_numbers, in_hexadecimal, digits)
