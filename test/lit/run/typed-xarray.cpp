//===- typed-xarray.cpp - Tensors of xtensor whose rank is open -----------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The answer says why, and what to write instead. Clang 19 does not compile xarray.hpp of xtensor 0.24, with or without
// the plugin: it looks a type up in a class that is not complete yet.
//
// REQUIRES: clang-22
// RUN: %clangxx -std=c++17 -O2 -fplugin=%plugin -I%include -c %s -o %t.o -fplugin-arg-memshape-operator=summed
// RUN: not %memshape predict %t.o --shape n=1 2>&1 | FileCheck %s
// CHECK: parameter 'x': its type {{.*}} is not built: its number of dimensions is chosen when the program runs

#include <xtensor/xarray.hpp>
double summed(const xt::xarray<double> &x, int n) { return x(n); }
