// Arrays that grow as data say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <cstring>
#include <memory>

BOUND_OPERATOR long selected(const int *X, int n) {
  std::vector<int> Kept;
  for (int I = 0; I < n; ++I)
    if (X[I] > 0)
      Kept.push_back(X[I]);
  return long(Kept.size());
}

BOUND_OPERATOR long runs(const int *X, int n) {
  std::vector<std::pair<int, int>> Runs;
  for (int I = 0; I < n; ++I) {
    if (Runs.empty() || Runs.back().first != X[I])
      Runs.emplace_back(X[I], 0);
    ++Runs.back().second;
  }
  return long(Runs.size());
}

BOUND_OPERATOR long grown_by_hand(const int *X, int n) {
  std::size_t Capacity = 4, Size = 0;
  int *Kept = static_cast<int *>(std::malloc(Capacity * sizeof(int)));
  for (int I = 0; I < n; ++I)
    if (X[I] != 0) {
      if (Size == Capacity) {
        Capacity *= 2;
        Kept = static_cast<int *>(std::realloc(Kept, Capacity * sizeof(int)));
      }
      Kept[Size++] = X[I];
    }
  std::free(Kept);
  return long(Size);
}

BOUND_OPERATOR long repeated(const int *X, int n) {
  std::vector<int> Out;
  for (int I = 0; I < n; ++I)
    Out.insert(Out.end(), std::size_t(X[I] & 7), I);
  return long(Out.size());
}

BOUND_OPERATOR long two_kinds(const int *X, int n) {
  std::vector<int> Even, Odd;
  for (int I = 0; I < n; ++I)
    (X[I] & 1 ? Odd : Even).push_back(X[I]);
  Even.insert(Even.end(), Odd.begin(), Odd.end());
  return long(Even.size());
}

BOUND_OPERATOR long sliced(const int *X, int n) {
  const int From = X[0] < 0 ? 0 : X[0] > n ? n : X[0];
  std::vector<int> Tail(X + From, X + n);
  Tail.erase(Tail.begin(), Tail.begin() + long(Tail.size() / 2));
  Tail.shrink_to_fit();
  return long(Tail.size());
}

BOUND_OPERATOR long rows_of_records(const int *X, int n) {
  std::vector<std::vector<float>> Rows;
  for (int I = 0; I < n; ++I) {
    if (X[I] <= 0 || Rows.empty())
      Rows.emplace_back();
    Rows.back().push_back(float(X[I]));
  }
  return long(Rows.size());
}

SAMPLES(int, selected, runs, grown_by_hand, repeated, two_kinds, sliced, rows_of_records)
