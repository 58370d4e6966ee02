// Tensors of xtensor whose rank is open.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The answer says why, and what to write instead. Clang 19 does not compile xarray.hpp of xtensor 0.24, with or without
// the plugin: it looks a type up in a class that is not complete yet.
//
// REQUIRES: clang-22
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -I%include -c %s -o %t.o -fplugin-arg-memshape-operator=summed
// RUN: not %predict --shape n=1 2>&1 | FileCheck %s
// CHECK: parameter 'x': its type {{.*}} is not built: its number of dimensions is chosen when the program runs

// RUN: %clangxx -std=c++17 -O2 -DNDEBUG -DLINE -fplugin-arg-memshape-operator=scaled %operatorxx
// RUN: %compare %t --shape x.rows=30,x.cols=41 -- 30 41

#include "../Inputs/twice.h"
#include <xtensor/xarray.hpp>
#ifdef LINE
MEMSHAPE_BUILD(xt::xarray<double>, (size_t rows, size_t cols), xt::xarray<double>::from_shape({rows, cols}))
xt::xarray<double> scaled(const xt::xarray<double> &x) { return 2 * x; }
static double once(size_t rows, size_t cols) { return scaled(xt::xarray<double>::from_shape({rows, cols}))(0, 0); }
#else
double summed(const xt::xarray<double> &x, int n) { return x(n); }
static double once(size_t, size_t) { return 0; }
#endif

TWICE(sink = once(number(1), number(2)))
