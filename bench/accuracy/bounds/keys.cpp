// Sets and maps of at most n keys.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "samples.h"

#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

BOUND_OPERATOR long distinct(const int *X, int n) {
  std::unordered_set<int> Seen;
  for (int I = 0; I < n; ++I)
    Seen.insert(X[I]);
  return long(Seen.size());
}

BOUND_OPERATOR long histogram(const int *X, int n) {
  std::unordered_map<int, int> Count;
  for (int I = 0; I < n; ++I)
    ++Count[X[I]];
  return long(Count.size());
}

BOUND_OPERATOR long reserved(const int *X, int n) {
  std::unordered_map<int, double> Sum;
  Sum.reserve(std::size_t(n));
  for (int I = 0; I < n; ++I)
    Sum[X[I]] += I;
  return long(Sum.size());
}

BOUND_OPERATOR long ordered(const int *X, int n) {
  std::set<int> Seen;
  for (int I = 0; I < n; ++I)
    if (X[I] > 0)
      Seen.insert(X[I]);
  return long(Seen.size());
}

BOUND_OPERATOR long ordered_counts(const int *X, int n) {
  std::map<int, int> Count;
  for (int I = 0; I < n; ++I)
    ++Count[X[I] / 2];
  return long(Count.size());
}

BOUND_OPERATOR long groups(const int *X, int n) {
  std::map<int, std::vector<int>> Members;
  for (int I = 0; I < n; ++I)
    Members[X[I] % 10].push_back(I);
  return long(Members.size());
}

BOUND_OPERATOR long hashed_groups(const int *X, int n) {
  std::unordered_map<int, std::vector<int>> Members;
  for (int I = 0; I < n; ++I)
    Members[X[I]].push_back(I);
  return long(Members.size());
}

BOUND_OPERATOR long erased_again(const int *X, int n) {
  std::set<int> Open;
  for (int I = 0; I < n; ++I)
    if (X[I] & 1)
      Open.insert(X[I]);
    else
      Open.erase(X[I] + 1);
  return long(Open.size());
}

SAMPLES(int, distinct, histogram, reserved, ordered, ordered_counts, groups, hashed_groups, erased_again)
