// A unit without operators.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "other-unit.h"

extern const int margin = 7;

std::vector<float> neighbours(int n) {
  std::vector<float> wide(3 * n);
  double *buffer = plain_buffer(n);
  std::vector<float> result(n);
  result[1] = wide[2] + static_cast<float>(buffer[0]);
  plain_release(buffer);
  return result;
}
