// Clamps, masks, remainders, narrow types, switches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <algorithm>
#include <cstdint>
#include <memory>

BOUND_OPERATOR long clamped(const int *X, int n) {
  std::vector<double> Window(std::size_t(std::clamp(X[0], 1, n)));
  return filled(Window.data(), Window.size(), X);
}

BOUND_OPERATOR long masked(const int *X, int n) {
  long Sum = 0;
  for (int I = 0; I < n; ++I) {
    std::vector<int> Part(X[I] & 255);
    Sum += filled(Part.data(), Part.size(), X);
  }
  return Sum;
}

BOUND_OPERATOR long remainder_of(const int *X, int n) {
  const std::size_t Size = std::size_t(n) + unsigned(X[n / 2]) % 100u;
  std::unique_ptr<float[]> Block(new float[Size]);
  return filled(Block.get(), Size, X);
}

BOUND_OPERATOR long one_byte(const int *X, int n) {
  long Sum = 0;
  for (int I = 0; I < n; ++I) {
    const auto Length = std::uint8_t(X[I]);
    char *Text = static_cast<char *>(std::malloc(Length + 1u));
    Sum += filled(Text, Length + 1u, X);
    std::free(Text);
  }
  return Sum;
}

BOUND_OPERATOR long by_kind(const int *X, int n) {
  std::size_t Each = 0;
  switch (X[0]) {
  case 0:
    Each = 3;
    break;
  case 1:
    Each = 8;
    break;
  case 7:
    Each = 2;
    break;
  default:
    Each = 1;
  }
  std::vector<float> Work(Each * std::size_t(n));
  return filled(Work.data(), Work.size(), X);
}

BOUND_OPERATOR long table_of_sizes(const int *X, int n) {
  static const int Sizes[] = {16, 64, 4, 128};
  std::vector<std::vector<char>> All;
  for (int I = 0; I < n; ++I)
    All.emplace_back(Sizes[X[I] & 3]);
  return long(All.size());
}

SAMPLES(int, clamped, masked, remainder_of, one_byte, by_kind, table_of_sizes)
