// Static objects that units share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A static object that a constructor sets is as the constructor left it where it is const, or where nobody else can
// reach it: not where another unit may have added to it, nor where a function has changed what it points to.
//
// RUN: %clangxx -std=c++20 -O2 -DOTHER_UNIT -c %s -o %t.other.o
// RUN: %held -std=c++20 -O2 %t.other.o
// HELD -DWIDTHS=Filters::widths n=100
// HELD -DWIDTHS=registry n=100 --bounds 0..none --because unbounded_size
// HELD -DWIDTHS=*scales n=100 --bounds 0..none --because unbounded_size
//
// What is mutable in an element of a const container anybody may set.
//
// HELD -DWIDTHS=gauged() n=100 --bounds 1..none --because unbounded_size
// HELD -DWIDTHS=gauged() -O0 n=100 --bounds 4..none --because unbounded_size
//
// So is what a const std::function remembers.
//
// HELD -DWIDTHS=told() n=100 --bounds 0..none --because no_counted_upper
//
// A const function may write through a pointer that nobody else sees.
//
// HELD -DWIDTHS=behind() n=100 --bounds 1..none --because unbounded_size

#include <functional>
#include <vector>

inline std::vector<int> registry = {1};

struct Gauge {
  mutable int width;
};
extern const std::vector<Gauge> gauges;

extern const std::function<int()> rising;

class Behind {
  int *width;

public:
  Behind() : width(new int(3)) {}
  int get() const { return *width; }
  void set(int to) const { *width = to; }
};
extern const Behind hidden;

#ifdef OTHER_UNIT
void fill() {
  registry.push_back(9);
  gauges[0].width = 9;
  rising();
  hidden.set(9);
}
#else
#include "../Inputs/twice.h"

void fill();

struct Filters {
  static const std::vector<int> widths;
};
const std::vector<int> Filters::widths = {3, 5};
const std::function<int()> rising = [width = 3]() mutable { return width++; };
const std::vector<Gauge> gauges = {{3}};
const Behind hidden;
static std::vector<int> behind() { return {hidden.get()}; }
static std::vector<int> told() { return {rising()}; }
static std::vector<int> gauged() { return {gauges[0].width}; }
static std::vector<int> *const scales = new std::vector<int>(2, 4);

MEMSHAPE_OPERATOR
float filters(const float *in, int n) {
  float sum = 0;
  for (int width : WIDTHS) {
    std::vector<float> kernel(width * n, in[0]);
    sum += kernel[n];
  }
  return sum;
}

__attribute__((noinline)) void rescale(int scale) { (*scales)[0] = scale; }

static float changed(const float *in, int n) {
  if (registry.size() == 1)
    fill();
  rescale(n / 10);
  return filters(in, n);
}

TWICE(sink = changed(data, number(1)))
#endif
