// Running mean of each trace.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std smallest=500,600 tensors=traces*samples,traces*samples

#include "job.h"

#include <vector>

ACCURACY_OPERATOR void moving_average(const float *In, int traces, int samples, float *Out) {
  std::vector<double> Sums(static_cast<std::size_t>(samples) + 1);
  std::vector<float> Copy(In, In + static_cast<long>(traces) * samples);
  for (int T = 0; T < traces; ++T) {
    for (int S = 0; S < samples; ++S)
      Sums[S + 1] = Sums[S] + Copy[static_cast<long>(T) * samples + S];
    for (int S = 2; S < samples - 2; ++S)
      Out[static_cast<long>(T) * samples + S] = static_cast<float>((Sums[S + 3] - Sums[S - 2]) / 5);
  }
}
