// Every trace sorted by its own copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std symbols=traces,samples smallest=700,512

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

int main(int, char **Arguments) {
  Job J(Arguments);
  int traces = J.extent();
  int samples = J.extent();
  float *In = J.input<float>(static_cast<long>(traces) * samples);
  float *Out = J.output<float>(static_cast<long>(traces) * samples);
  trace_sort(In, traces, samples, Out);
  return J.finish();
}
