// A vector that doubles as it grows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std smallest=300000 tensors=values,values

#include "job.h"

#include <vector>

ACCURACY_OPERATOR void growing_vector(const double *In, int values, double *Out) {
  std::vector<double> Grown;
  for (int I = 0; I < values; ++I)
    Grown.push_back(2 * In[I]);
  for (int I = 0; I < values; ++I)
    Out[I] = Grown[values - 1 - I];
}
