// A list node for every value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std smallest=60000,64 tensors=values,bins

#include "job.h"

#include <list>
#include <vector>

ACCURACY_OPERATOR void linked_bins(const float *In, int values, int bins, float *Out) {
  std::vector<std::list<float>> Bins(bins);
  for (int I = 0; I < values; ++I)
    Bins[I % bins].push_back(In[I]);
  for (int B = 0; B < bins; ++B)
    for (float Value : Bins[B])
      Out[B] += Value;
}
