// Whether a pointer that the skeleton keeps is null.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Data decides into which bucket a node of a hash table goes, and so whether the list is empty when the table grows. Where
// nobody says otherwise the skeleton's own pointers answer: with another answer it would follow null.
//
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --shape n=10 | %says "peak heap {{.*}} 784 bytes  at most: data decides" "This rests on the operator's allocation skeleton"
//
// RUN: %held -std=c++17
// HELD -O2 n=10 --bounds 0..784
// HELD -O0 n=10 --bounds 0..784

#include "../Inputs/twice.h"
#include <unordered_map>

MEMSHAPE_OPERATOR
float sums(const int *in, int n) {
  std::unordered_map<int, float> sums;
  for (int k = 0; k < n; ++k)
    sums[in[k]] += float(k);
  return float(sums.size());
}
