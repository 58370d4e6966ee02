// Recursive merge sort with temporaries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std smallest=200000 tensors=values,values

#include "job.h"

#include <vector>

static void sortRange(double *Values, int Count) {
  if (Count < 2)
    return;
  int Half = Count / 2;
  sortRange(Values, Half);
  sortRange(Values + Half, Count - Half);
  std::vector<double> Left(Values, Values + Half), Right(Values + Half, Values + Count);
  int A = 0, B = 0;
  for (int I = 0; I < Count; ++I)
    Values[I] = B == Count - Half || (A < Half && Left[A] <= Right[B]) ? Left[A++] : Right[B++];
}

ACCURACY_OPERATOR void merge_sort(const double *In, int values, double *Out) {
  for (int I = 0; I < values; ++I)
    Out[I] = In[I];
  sortRange(Out, values);
}
