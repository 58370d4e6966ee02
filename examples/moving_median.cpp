// Running median of a trace.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Removes spikes: each sample becomes the median of the window around it. Takes and returns a std::vector, so that its
// shape symbols are trace.size and width.
//
// Memory: the result and one window.

#include "driver.h"

#include <algorithm>
#include <memshape/operator.h>
#include <vector>

MEMSHAPE_OPERATOR
std::vector<float> moving_median(const std::vector<float> &trace, int width) {
  const int size = int(trace.size());
  std::vector<float> window(width), out(trace.size());
  for (int s = 0; s < size; ++s) {
    for (int w = 0; w < width; ++w)
      window[w] = trace[std::clamp(s + w - width / 2, 0, size - 1)];
    std::nth_element(window.begin(), window.begin() + width / 2, window.end());
    out[s] = window[width / 2];
  }
  return out;
}

int main(int argc, char **argv) {
  int shape[2];
  driver_read_shape(argc, argv, "trace.size width", 2, shape);
  float *input = driver_make_input(shape[0]);
  const std::vector<float> trace(input, input + shape[0]);
  for (int call = 0; call < DriverCalls; ++call) {
    const std::vector<float> out = moving_median(trace, shape[1]);
    printf("moving_median %.6e\n", driver_checksum(out.data(), out.size()));
  }
  free(input);
}
