// Lengths of runs of like values.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std symbols=traces,samples smallest=400,500

#include "../operators/job.h"

#include <cmath>
#include <vector>

struct RunOfValues {
  float Value;
  int Length;
};

ACCURACY_OPERATOR void run_lengths(const float *In, int traces, int samples, float *Out) {
  std::vector<RunOfValues> Runs;
  for (int T = 0; T < traces; ++T)
    for (int S = 0; S < samples; ++S) {
      float Value = In[static_cast<long>(T) * samples + S];
      if (S == 0 || std::abs(Runs.back().Value - Value) > 12)
        Runs.push_back({Value, 0});
      ++Runs.back().Length;
    }
  for (const RunOfValues &Run : Runs)
    *Out += Run.Value * static_cast<float>(Run.Length);
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int traces = J.extent();
  int samples = J.extent();
  float *In = J.input<float>(static_cast<long>(traces) * samples);
  float *Out = J.output<float>(1);
  run_lengths(In, traces, samples, Out);
  return J.finish();
}
