// Sizes from floating-point numbers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <algorithm>
#include <cmath>

BOUND_OPERATOR long radius(const float *X, int n) {
  const float Wide = std::fmin(std::fmax(X[0], 1.0f), 50.0f);
  const int Radius = int(std::ceil(3 * Wide));
  std::vector<float> Kernel(std::size_t(2 * Radius + 1));
  std::vector<float> Out(static_cast<std::size_t>(n));
  return filled(Kernel.data(), Kernel.size(), X) + filled(Out.data(), Out.size(), X);
}

BOUND_OPERATOR long fraction(const float *X, int n) {
  const float Share = X[0] > 0 ? std::min(X[0], 1.0f) : 0;
  std::vector<float> Part(std::size_t(Share * float(n)));
  return filled(Part.data(), Part.size(), X);
}

BOUND_OPERATOR long bins_of_range(const float *X, int n) {
  const int Bins = std::isfinite(X[0]) ? int(std::fabs(std::fmod(X[0], 64.0f))) : 64;
  std::vector<int> Count(std::size_t(Bins) + 1);
  for (int I = 0; I < n; ++I)
    ++Count[0];
  return Count[0] + filled(Count.data(), Count.size(), X);
}

BOUND_OPERATOR long rooted(const float *X, int n) {
  int Side = 0;
  for (int I = 0; I < n; ++I)
    Side += X[I] > 0;
  const int Root = int(std::sqrt(double(Side)));
  std::vector<float> Tile(std::size_t(Root) * std::size_t(Root));
  return filled(Tile.data(), Tile.size(), X);
}

BOUND_OPERATOR long histogram_of_floats(const float *X, int n) {
  std::vector<std::vector<int>> Bin(32);
  for (int I = 0; I < n; ++I) {
    const float Scaled = std::floor(X[I] * 32);
    const int At = Scaled >= 0 && Scaled < 32 ? int(Scaled) : 0;
    Bin[At].push_back(I);
  }
  return long(Bin[0].size());
}

BOUND_OPERATOR long median_of_finite(const float *X, int n) {
  std::vector<float> Finite;
  for (int I = 0; I < n; ++I)
    if (std::isfinite(X[I]))
      Finite.push_back(X[I]);
  std::sort(Finite.begin(), Finite.end());
  return long(Finite.size());
}

SAMPLES(float, radius, fraction, bins_of_range, rooted, histogram_of_floats, median_of_finite)
