// Work apart that takes too much memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The unit never calls the constructor, so its body, which takes gigabytes to compile, is made by the process alone that
// builds arguments. That ends, the unit compiles, the other operator has its answer, and this one says why it has none.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %predict --operator beside --shape n=100 | %says "peak heap {{.*}} 800 bytes exact"
// RUN: not %predict --operator sum --shape n=100 2>&1 | FileCheck --check-prefix=SUM %s
// SUM: its arguments cannot be built: too large: it takes more than {{[0-9]+}} MB beside the compiler

#include <memshape/operator.h>
#include <utility>

template <int... Numbers> int count(std::integer_sequence<int, Numbers...>) { return sizeof...(Numbers); }

template <typename T> struct Vast {
  explicit Vast(int n) : n(n + count(std::make_integer_sequence<T, 100'000'000>())) {}
  T n;
};

MEMSHAPE_OPERATOR double *sum(const Vast<int> &v) { return new double[v.n]; }
MEMSHAPE_OPERATOR double *beside(int n) { return new double[n]; }
