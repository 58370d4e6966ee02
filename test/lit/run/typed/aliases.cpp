// Objects whose functions have two names.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A constructor that is defined out of line has a second name for the same code, and so have others. What builds the
// arguments calls the unit's own code by either name, in the skeleton and where a run tells shapes.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape s.count=100 -- 100
// RUN: %clangxx -std=c++20 -O0 -fplugin=%plugin -I%include %s -o %t-0
// RUN: %compare %t-0 --shape s.count=100 -- 100
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -DWITHOUT_OTHERS %s -o %t-alone
// RUN: %compare %t-alone --shape s.count=7 -- 7

#include "../Inputs/twice.h"
#include <vector>

class Store {
public:
  explicit Store(int count);
  ~Store();
  int extent() const;

private:
  std::vector<double> cells;
};
Store::Store(int count) : cells(count) {}
Store::~Store() {}
int Store::extent() const { return int(cells.size()); }

#ifndef WITHOUT_OTHERS
extern "C" {
__attribute__((visibility("hidden"))) int twice(int n) { return 2 * n; }
int doubled(int n) __attribute__((alias("twice")));
int doubled_where_nobody_else_does(int n) __attribute__((weak, alias("twice")));
int (*chosen(void))(int) { return twice; }
int doubled_here(int n) __attribute__((ifunc("chosen")));
int known = 3;
extern int known_too __attribute__((alias("known")));
}
template <typename T> struct Pair {
  Pair(T a, T b);
  T a, b;
};
template <typename T> Pair<T>::Pair(T a, T b) : a(a), b(b) {}
template struct Pair<int>;
struct Base {
  Base();
  virtual ~Base();
};
struct Left : virtual Base {
  Left(int n);
  ~Left() override;
  int n;
};
Base::Base() {}
Base::~Base() {}
Left::Left(int n) : n(n) {}
Left::~Left() {}
#endif

MEMSHAPE_OPERATOR
double sum(const Store &s) {
  std::vector<double> copy(s.extent());
  return copy[0];
}

TWICE({ Store s(number(1)); sink = sum(s); })
