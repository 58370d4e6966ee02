// Annotations are no unknowns.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program declares about its memory (<memshape/annotate.h>) is given pointers to the operator's own objects, and
// yet changes nothing in them: a prediction is as exact as without.
//
// RUN: %clangxx -std=c++20 -O2 %operatorxx
// RUN: %compare %t --shape n=1000 -- 1000
// RUN: %compare %t --shape n=3 -- 3

#include "../Inputs/twice.h"
#include <memshape/annotate.h>
#include <vector>

struct Cells {
  Cells() { memshape_pool_create(this, "cells"); }
  ~Cells() {
    for (float *Row : Rows)
      delete[] Row;
    memshape_pool_destroy(this);
  }
  float *take() {
    if (Used % 64 == 0) {
      Rows.push_back(new float[64]);
      memshape_pool_holds(this, Rows.size() * 64 * sizeof(float));
    }
    float *Cell = Rows.back() + Used++ % 64;
    memshape_pool_alloc(this, Cell, sizeof(float));
    return Cell;
  }
  std::vector<float *> Rows;
  std::size_t Used = 0;
};

MEMSHAPE_OPERATOR
float declared(const float *in, int n) {
  Cells All;
  float Sum = 0;
  memshape_phase_begin("fill");
  for (int i = 0; i < n; ++i)
    *All.take() = in[i];
  memshape_phase_end("fill");
  MEMSHAPE_PHASE("sum");
  std::vector<float> Copy(All.Rows.size());
  for (std::size_t r = 0; r < Copy.size(); ++r)
    Sum += Copy[r] = *All.Rows[r];
  return Sum;
}

TWICE(sink = declared(data, number(1)))
