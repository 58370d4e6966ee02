// Every trace sorted by its own copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std smallest=700,512 tensors=traces*samples,traces*samples

#include "job.h"

#include <algorithm>
#include <vector>

ACCURACY_OPERATOR void trace_sort(const float *In, int traces, int samples, float *Out) {
  std::vector<std::vector<float>> Sorted;
  for (int T = 0; T < traces; ++T) {
    Sorted.emplace_back(In + static_cast<long>(T) * samples, In + static_cast<long>(T + 1) * samples);
    std::sort(Sorted.back().begin(), Sorted.back().end());
  }
  for (int T = 0; T < traces; ++T)
    std::copy(Sorted[T].begin(), Sorted[T].end(), Out + static_cast<long>(T) * samples);
}
