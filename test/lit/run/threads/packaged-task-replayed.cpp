// A replay uses a library's thread-local variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// std::call_once hands its function over in variables of libstdc++, of which each thread has its own. A call that throws
// and catches is replayed.
//
// RUN: %held -std=c++20 -O2
// HELD n=100
// HELD n=1000 --bounds 0..none --because no_skeleton

#include "../Inputs/twice.h"
#include <future>
#include <vector>

MEMSHAPE_OPERATOR
void halves(const float *in, int n, float *out) {
  std::packaged_task<std::vector<float>()> task([=] { return std::vector<float>(in, in + n); });
  std::future<std::vector<float>> result = task.get_future();
  task();
  try {
    if (n > 500)
      throw n;
  } catch (int) {
  }
  out[0] = result.get()[0] / 2;
}
