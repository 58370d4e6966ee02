// Objects behind a base class.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which class it is depends on a shape symbol; the virtual calls follow it.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape kind=0,n=50 -- 0 50
// RUN: %compare %t --shape kind=1,n=50 -- 1 50

#include "../Inputs/twice.h"
#include <memory>
#include <vector>

struct Filter {
  virtual ~Filter() = default;
  virtual void run(const float *in, int n) = 0;
};
struct Mean : Filter {
  void run(const float *in, int n) override {
    std::vector<double> sums(n);
    sums[0] = in[0];
  }
};
struct Median : Filter {
  std::vector<float> sorted;
  explicit Median(int n) : sorted(n) {}
  void run(const float *in, int n) override { sorted.assign(in, in + 2 * n); }
};

static std::unique_ptr<Filter> make(int kind, int n) {
  if (kind == 0)
    return std::make_unique<Mean>();
  return std::make_unique<Median>(n);
}

MEMSHAPE_OPERATOR
void filter(const float *in, int kind, int n) { make(kind, n)->run(in, n); }

TWICE(filter(data, number(1), number(2)))
