// An address that a function is given as a number: its seventh argument, an object of one pointer, lies in memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %held -std=c++17 -O1 -fplugin-arg-memshape-operator=halves
// RUN: %held -std=c++17 -O2 -fplugin-arg-memshape-operator=halves
// HELD halves n=1000
// HELD halves n=7

#include "../Inputs/twice.h"
#include <vector>

struct place {
  const float *at;
};

static unsigned halve(std::vector<float> &means, unsigned &count, const float *whole, const float *other, float least,
                      const int &leaf, place first, place last, place end) {
  const long size = last.at - first.at;
  const unsigned node = count++;
  if (size <= leaf) {
    means[node] = *first.at + (float)(first.at - whole) + (float)(end.at - last.at);
    return node;
  }
  const place middle = {first.at + size / 2};
  means[node] = *middle.at > least ? *middle.at : other[node];
  halve(means, count, whole, other, least, leaf, first, middle, end);
  halve(means, count, whole, other, least, leaf, middle, last, end);
  return node;
}

float halves(int n, const float *values) {
  std::vector<float> means(n);
  const int leaf = 20;
  unsigned count = 0;
  halve(means, count, values, values, 1, leaf, {values}, {values + n}, {values + n});
  means.resize(count);
  return means[0];
}
