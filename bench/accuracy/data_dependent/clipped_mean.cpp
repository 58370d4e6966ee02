// A mean without outliers, again until none is left.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std symbols=traces,samples smallest=400,500

#include "../operators/job.h"

#include <cmath>
#include <vector>

ACCURACY_OPERATOR void clipped_mean(const float *In, int traces, int samples, float *Out) {
  long Count = static_cast<long>(traces) * samples;
  double Mean = 0, Last = 1e9;
  while (std::abs(Mean - Last) > 1e-3) {
    std::vector<float> Distance(Count);
    double Spread = 0, Sum = 0, Kept = 0;
    for (long I = 0; I < Count; ++I) {
      Distance[I] = std::abs(In[I] - static_cast<float>(Mean));
      Spread += Distance[I];
    }
    for (long I = 0; I < Count; ++I)
      if (Distance[I] <= 2 * Spread / static_cast<double>(Count)) {
        Sum += In[I];
        ++Kept;
      }
    Last = Mean;
    Mean = Sum / Kept;
  }
  *Out = static_cast<float>(Mean);
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int traces = J.extent();
  int samples = J.extent();
  float *In = J.input<float>(static_cast<long>(traces) * samples);
  float *Out = J.output<float>(1);
  clipped_mean(In, traces, samples, Out);
  return J.finish();
}
