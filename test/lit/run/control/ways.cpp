// Which way an operator goes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The shape decides how far it gets, how deep it calls itself, and whether it works in blocks.
//
// RUN: %held -std=c++20 -O2

#include "../Inputs/twice.h"
#include <vector>

// Early returns. The shape decides how far the operator gets.
// HELD smooth n=2 n=100 n=2000
MEMSHAPE_OPERATOR
int smooth(const float *in, int n, float *out) {
  if (n < 4)
    return 1;
  std::vector<float> copy(in, in + n);
  if (n > 1000)
    return 2;
  std::vector<float> kernel(2 * n);
  out[0] = copy[0] + kernel[0];
  return 0;
}

// Recursion. A function that calls itself stays a function; each level holds its own buffer.
// HELD sorted n=100 n=1
static void sortRange(float *values, int n) {
  if (n < 2)
    return;
  int half = n / 2;
  sortRange(values, half);
  sortRange(values + half, n - half);
  std::vector<float> merged(n);
  for (int i = 0; i < n; ++i)
    merged[i] = values[i];
  for (int i = 0; i < n; ++i)
    values[i] = merged[n - 1 - i];
}

MEMSHAPE_OPERATOR
void sorted(const float *in, int n, float *out) {
  for (int i = 0; i < n; ++i)
    out[i] = in[i];
  sortRange(out, n);
}

// A recursive function that returns data. Nothing needs the result to allocate, yet it may be taken for a value that
// matters.
// HELD tree n=100 n=7
static float halve(const float *in, int n) {
  if (n < 2)
    return in[0];
  std::vector<float> copy(in, in + n);
  return halve(copy.data(), n / 2) + halve(copy.data() + n / 2, n - n / 2);
}

MEMSHAPE_OPERATOR
float tree(const float *in, int n) { return halve(in, n); }

// Large shapes are done in blocks: the peak falls, which is no overflow.
// HELD middle n=50000 n=60000
MEMSHAPE_OPERATOR
char middle(const char *in, long n) {
  if (n <= 50000) {
    std::vector<float> all(n * 8);
    all[n / 2] = in[n / 2];
    return all[n / 2] > 0;
  }
  std::vector<char> block(4096);
  for (long i = 0; i < n; i += 4096)
    for (long k = 0; k < 4096 && i + k < n; ++k)
      block[k] = in[i + k];
  return block[7];
}
