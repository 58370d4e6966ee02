// Operators that the tests of the package open.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <memshape/operator.h>

#include <algorithm>
#include <vector>

/// A running mean over five samples of every trace of a cube, as in the README.
MEMSHAPE_OPERATOR
extern "C" void smooth(const float *cube, int ni, int nx, int ns, float *out) {
  std::vector<double> sums(ns + 1);
  std::vector<float> copy(cube, cube + long(ni) * nx * ns);
  for (long trace = 0; trace < long(ni) * nx; ++trace) {
    for (int s = 0; s < ns; ++s)
      sums[s + 1] = sums[s] + copy[trace * ns + s];
    for (int s = 2; s < ns - 2; ++s)
      out[trace * ns + s] = float(sums[s + 3] - sums[s - 2]) / 5;
  }
}

/// A setting decides how much is held around each trace.
MEMSHAPE_OPERATOR
extern "C" double blur(const float *trace, int n, double sigma) {
  const int radius = int(3 * sigma);
  std::vector<double> padded(n + 2 * radius);
  std::copy(trace, trace + n, padded.begin() + radius);
  return padded[n / 2];
}

/// Data decides whether a copy is sorted.
MEMSHAPE_OPERATOR
extern "C" float middle(const float *values, int n) {
  if (values[0] < 0)
    return 0;
  std::vector<float> sorted(values, values + n);
  std::nth_element(sorted.begin(), sorted.begin() + n / 2, sorted.end());
  return sorted[n / 2];
}

/// Data decides how much of a table is read.
MEMSHAPE_OPERATOR
extern "C" void looked_up(const float *table, const int *at, int n, float *out) {
  for (int i = 0; i < n; ++i)
    out[i] = table[at[i]];
}

/// What is returned has extents.
MEMSHAPE_OPERATOR
std::vector<float> doubled(const std::vector<float> &in) { return std::vector<float>(2 * in.size()); }

/// Data decides how long a copy is.
MEMSHAPE_OPERATOR
extern "C" float gathered(const unsigned *counts, int n) {
  std::vector<float> all(counts[n - 1]);
  return std::count(all.begin(), all.end(), 1.f);
}
