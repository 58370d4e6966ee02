// Exceptions of the caller.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A caller that handles an exception, or is unwound by one, may call as well.
//
// RUN: %held -std=c++20 -O2
// HELD -DKIND=handled n=100 --bounds 0..none --because no_counted_upper
// HELD -DKIND=unwound n=100 --bounds 400..800

#include "../Inputs/twice.h"
#include <exception>
#include <vector>

static bool handled() { return std::current_exception() != nullptr; }
static bool unwound() { return std::uncaught_exceptions() > 0; }

MEMSHAPE_OPERATOR
float cleaned_up(const float *in, int n) {
  std::vector<float> work(KIND() ? 2 * n : n);
  work[0] = in[0];
  return work[n / 2];
}
