// What options add to a program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks, traces and counts that options of the compiler put into an operator leave its answer as it is.
//
// RUN: %held
// HELD -O2 -finstrument-functions n=100
// HELD -O0 -D_GLIBCXX_DEBUG n=100
// HELD -O2 -D_GLIBCXX_DEBUG n=100
// HELD -O2 -fno-inline n=100
//
// The libraries that these need are not everywhere.
// RUN: %clangxx -O2 -fsanitize=undefined -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | %says "peak heap {{.*}} 2,008 bytes exact" "in 3 allocations"
// RUN: %clangxx -O0 -fsanitize=undefined -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | %says "peak heap {{.*}} 2,008 bytes exact" "in 3 allocations"
// RUN: %clangxx -O2 -fsanitize=memory -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | %says "peak heap {{.*}} 2,008 bytes exact" "in 3 allocations"
// RUN: %clangxx -O2 -fprofile-generate -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=100 | %says "peak heap {{.*}} 2,008 bytes exact" "in 3 allocations"

#include "../Inputs/twice.h"
#include <numeric>
#include <vector>

MEMSHAPE_OPERATOR
float smoothed(const float *in, int n) {
  std::vector<double> sums(n + 1);
  std::vector<float> copy(in, in + n);
  for (int i = 0; i < n; ++i)
    sums[i + 1] = sums[i] + copy[i];
  std::vector<float> out;
  out.reserve(2 * n);
  for (auto At = sums.begin() + 2; At != sums.end(); ++At)
    out.push_back(float(*At - At[-2]));
  return std::accumulate(out.begin(), out.end(), 0.0f);
}
