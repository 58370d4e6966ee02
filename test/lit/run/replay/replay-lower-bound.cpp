// A run bounds nothing from below.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other data may throw before the operator allocates. At -O0 the operator is replayed; from above it is counted.
//
// RUN: %clangxx -std=c++20 -O0 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=200 --json | %says '"peak_bytes": 1600' '"lower_bytes": 0' '"upper_bytes": 1600' '"method": "replay"'

#include <memshape/operator.h>
#include <stdexcept>
#include <vector>

static void validate(const float *in, int n) {
  for (int i = 0; i < n; ++i)
    if (!(in[i] >= -0.5f))
      throw std::runtime_error("bad sample in trace");
}

MEMSHAPE_OPERATOR
void median(const float *in, int n, float *out) {
  try {
    validate(in, n);
    std::vector<double> copy(in, in + n);
    out[0] = static_cast<float>(copy[n / 2]);
  } catch (const std::exception &) {
    out[0] = -1;
  }
}
