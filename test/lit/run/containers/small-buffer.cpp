// Containers with room for a few inside.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A container with a small buffer of its own, filled by copies of run-time length: the sizes behind the buffer are
// untouched by them.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=100 -- 100
// RUN: %compare %t --shape n=5 -- 5

#include "../Inputs/twice.h"
#include <algorithm>
#include <cstddef>
#include <vector>

/// Up to four extents in place, more of them on the heap.
class Extents {
  std::size_t *First = Small, *Last = Small, *End = Small + 4;
  std::size_t Small[4];

public:
  Extents() = default;
  Extents(const Extents &Other) { assign(Other.First, Other.Last); }
  ~Extents() {
    if (First != Small)
      delete[] First;
  }
  void assign(const std::size_t *From, const std::size_t *To) {
    std::size_t Count = To - From;
    if (Count > static_cast<std::size_t>(End - First)) {
      if (First != Small)
        delete[] First;
      First = new std::size_t[Count];
      End = First + Count;
    }
    Last = std::copy(From, To, First);
  }
  std::size_t size() const { return Last - First; }
  std::size_t operator[](std::size_t I) const { return First[I]; }
  std::size_t product() const {
    std::size_t P = 1;
    for (const std::size_t *E = First; E != Last; ++E)
      P *= *E;
    return P;
  }
};

struct Array {
  Extents shape;
  std::size_t count;
  std::vector<float> values;
};

MEMSHAPE_OPERATOR
float slices(const float *in, int n) {
  const std::size_t extents[] = {2, static_cast<std::size_t>(n), 3};
  Array a;
  a.shape.assign(extents, extents + 2 + n % 2);
  a.count = a.shape.product();
  a.values.assign(in, in + a.count % 1000);
  Array b = a;
  std::sort(b.values.begin(), b.values.end());
  std::vector<float> last(b.shape[b.shape.size() - 1] * b.count);
  return b.values[n / 2] + last[0];
}

TWICE(sink = slices(data, number(1)))
