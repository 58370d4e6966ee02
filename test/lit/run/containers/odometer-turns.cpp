// Equal turns over several directions at once.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An iterator over all lines of an array counts like an odometer: the next counter goes on when the one before starts
// over. With a buffer for each line there are a thousand million turns, which are counted and not run.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape planes=30,rows=20,columns=25,samples=40 -- 30 20 25 40
// RUN: %compare %t --shape planes=1,rows=1,columns=1,samples=7 -- 1 1 1 7
// RUN: %compare %t --shape planes=1,rows=3,columns=1,samples=7 -- 1 3 1 7
// RUN: %compare %t --shape planes=0,rows=3,columns=2,samples=7 -- 0 3 2 7
// RUN: %memshape predict %t --shape planes=1000,rows=1000,columns=1001,samples=30 | FileCheck %s
// CHECK: exact
// CHECK: in 1,001,000,000 allocations
//

#include "../Inputs/twice.h"
#include <vector>

struct Lines {
  long column = 0, row = 0, plane = 0, columns, rows, planes;
  bool more() const { return plane < planes; }
  void next() {
    ++column;
    bool over = column == columns;
    row += over;
    column = over ? 0 : column;
    over = row == rows;
    plane += over;
    row = over ? 0 : row;
  }
};

MEMSHAPE_OPERATOR
float lines(const float *in, int planes, int rows, int columns, int samples) {
  Lines at;
  at.columns = columns;
  at.rows = rows;
  at.planes = planes;
  float sum = 0;
  for (; at.more(); at.next()) {
    std::vector<float> line(samples, in[at.row]);
    line[samples / 2] += in[at.column];
    sum += line[samples / 2];
  }
  return sum;
}

TWICE(sink = lines(data, number(1), number(2), number(3), number(4)))
