// Operators that take and return vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arguments of class type are built from shape symbols. What they take is the caller's; a copy that the call makes is
// the operator's, and so is what it returns. What a vector holds is data.
//
// RUN: %held -std=c++20 -O2
// HELD -DMOVED -fplugin-arg-memshape-operator=sorted in=500
// HELD -DSPAN -fplugin-arg-memshape-operator=spread in=300
// HELD -DABOVE -fplugin-arg-memshape-operator=above in=300 --bounds 0..3072
// HELD -DBOXES -fplugin-arg-memshape-operator=widths boxes=300
// HELD -DSMOOTH -fplugin-arg-memshape-operator=smooth in.size=1000,width=5 in=1,width=0
// RUN: %memshape predict %t --shape in=1000,width=5 --json | FileCheck %s
// CHECK:      "shape": {
// CHECK-NEXT:   "in.size": 1000,
// CHECK-NEXT:   "width": 5
// CHECK:      "spaces": {
// CHECK-NEXT:   "host": 8004
// CHECK-NEXT: }
// CHECK:      "tensors": [
// CHECK-NEXT:   {
// CHECK-NEXT:     "name": "in",
// CHECK-NEXT:     "bytes": 4000,
// CHECK-NEXT:     "formula": "4*in.size"

#include "../Inputs/twice.h"
#include <algorithm>
#include <span>
#include <vector>

using Floats = std::vector<float>;

#if defined(SMOOTH)
Floats smooth(const Floats &in, int width) {
  Floats sums(in.size() + 1), out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i)
    sums[i + 1] = sums[i] + in[i];
  for (std::size_t i = 0; i < in.size(); ++i)
    out[i] = sums[std::min(i + width, in.size())] - sums[i];
  return out;
}
TWICE({ static Floats kept(data, data + number(1)); sink = smooth(kept, number(2))[0]; })
#elif defined(MOVED)
Floats sorted(Floats &&in) {
  Floats mine = std::move(in);
  std::sort(mine.begin(), mine.end());
  mine.reserve(mine.size() + 1);
  return mine;
}
TWICE(sink = sorted(Floats(data, data + number(1)))[0])
#elif defined(SPAN)
double spread(std::span<const float> in) {
  Floats mine(in.begin(), in.end());
  std::nth_element(mine.begin(), mine.begin() + mine.size() / 2, mine.end());
  return mine[mine.size() / 2];
}
TWICE(sink = spread({data, static_cast<std::size_t>(number(1))}))
#elif defined(BOXES)
class Box {
public:
  Box(float low, float high) : Low(low), High(high) {}
  float Low, High;
};
Floats widths(const std::vector<Box> &boxes) {
  Floats out;
  for (const Box &each : boxes)
    out.push_back(each.High - each.Low);
  return out;
}
TWICE({ static std::vector<Box> kept(number(1), Box(data[0], data[1])); sink = widths(kept)[0]; })
#else
double above(const Floats &in) {
  Floats out;
  for (float x : in)
    if (x > 0)
      out.push_back(x);
  return out.empty() ? 0 : out.back();
}
TWICE({ static Floats kept(data, data + number(1)); sink = above(kept); })
#endif
