//===- memory-resource.cpp - Containers on a buffer that only grows --------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The resource's code is in the C++ library, behind a virtual function.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %clangxx %t.o -o %t
// RUN: %python %S/compare.py %memshape %t --shape n=100 --within-bounds -- 100
// RUN: %python %S/compare.py %memshape %t --shape n=5000 --within-bounds -- 5000

#include "Inputs/twice.h"
#include <memory_resource>
#include <vector>

MEMSHAPE_OPERATOR
float twin(const float *in, int n) {
  std::pmr::monotonic_buffer_resource buffer;
  std::pmr::vector<float> copy(in, in + n, &buffer), other(copy, &buffer);
  return other[n / 2];
}

TWICE(sink = twin(data, number(1)))
