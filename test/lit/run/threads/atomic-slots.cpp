// Pointers kept in atomic variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts are made when first asked for and kept in atomic pointers, which lie in the object or, where there are many, on the
// heap.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100,parts=7 -- 100 7
// RUN: %compare %t --shape n=50,parts=3 -- 50 3

#include "../Inputs/twice.h"
#include <atomic>

struct Part {
  const float *first;
  long length;
  double *own;
};

struct Cube {
  const float *first;
  long length, count;
  std::atomic<Part *> *parts;
  std::atomic<Part *> few[4];

  Cube(const float *first, long length, long count)
      : first(first), length(length), count(count), parts(count > 4 ? new std::atomic<Part *>[count] : few) {
    for (long i = 0; i < count; ++i)
      parts[i] = nullptr;
  }
  ~Cube() {
    for (long i = 0; i < count; ++i)
      if (Part *part = parts[i].load()) {
        delete[] part->own;
        delete part;
      }
    if (count > 4)
      delete[] parts;
  }
  Part &part(long i) {
    if (!parts[i].load())
      parts[i].store(new Part{first + i * length, length, new double[length]});
    return *parts[i].load();
  }
};

MEMSHAPE_OPERATOR
double last(const float *in, int n, int parts) {
  Cube cube(in, n, parts);
  double *copy = new double[cube.part(parts - 1).length];
  for (int i = 0; i < n; ++i)
    copy[i] = in[i];
  double result = copy[n / 2];
  delete[] copy;
  return result;
}

TWICE(sink = last(data, number(1), number(2)))
