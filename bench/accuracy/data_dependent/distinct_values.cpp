// How often each value occurs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std symbols=values smallest=150000

#include "../operators/job.h"

#include <unordered_map>

ACCURACY_OPERATOR void distinct_values(const float *In, int values, float *Out) {
  std::unordered_map<long, int> Counts;
  for (int I = 0; I < values; ++I)
    ++Counts[static_cast<long>(In[I] * 1000) * 1024 + I % 1024 / 2];
  for (const auto &[Value, Count] : Counts)
    *Out += static_cast<float>(Count);
}

int main(int, char **Arguments) {
  Job J(Arguments);
  int values = J.extent();
  float *In = J.input<float>(values);
  float *Out = J.output<float>(1);
  distinct_values(In, values, Out);
  return J.finish();
}
