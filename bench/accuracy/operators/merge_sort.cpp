// Recursive merge sort with temporaries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// accuracy: library=std symbols=values smallest=200000

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

int main(int, char **Arguments) {
  Job J(Arguments);
  int values = J.extent();
  double *In = J.input<double>(values);
  double *Out = J.output<double>(values);
  merge_sort(In, values, Out);
  return J.finish();
}
