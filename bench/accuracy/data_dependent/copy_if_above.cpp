// Values above a level, copied and sorted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std symbols=traces,samples smallest=400,500

#include "../operators/job.h"

#include <algorithm>
#include <iterator>
#include <vector>

ACCURACY_OPERATOR void copy_if_above(const float *In, int traces, int samples, float *Out) {
  std::vector<double> Kept;
  std::copy_if(In, In + static_cast<long>(traces) * samples, std::back_inserter(Kept), [](float V) { return V > 30; });
  std::sort(Kept.begin(), Kept.end());
  *Out = Kept.empty() ? 0 : static_cast<float>(Kept[Kept.size() / 2]);
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int traces = J.extent();
  int samples = J.extent();
  float *In = J.input<float>(static_cast<long>(traces) * samples);
  float *Out = J.output<float>(1);
  copy_if_above(In, traces, samples, Out);
  return J.finish();
}
