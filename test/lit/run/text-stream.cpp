//===- text-stream.cpp - Numbers written into a string stream ------------===//
//
// Part of memshape, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A stream into memory allocates as it is written to.
//
// RUN: %clangxx -std=c++20 -O2 -fplugin=%plugin -I%include -c %s -o %t.o
// RUN: %clangxx %t.o -o %t
// RUN: %python %S/compare.py %memshape %t --shape n=100 --within-bounds -- 100
// RUN: %python %S/compare.py %memshape %t --shape n=7 --within-bounds -- 7
//
// Known: writing to any stream is taken to allocate nothing.

#include "Inputs/twice.h"
#include <sstream>
#include <string>

MEMSHAPE_OPERATOR
int header(const float *in, int n) {
  std::ostringstream text;
  for (int i = 0; i < n; ++i)
    text << i << ' ';
  std::string line = text.str();
  return line[n] + (in[0] > 0);
}

TWICE(sink = header(data, number(1)))
